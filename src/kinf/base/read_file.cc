// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/read_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <system_error>

#include "kinf/base/file_descriptor.h"
#include "kinf/base/limits.h"
#include "kinf/base/regular_file.h"

namespace kinf {
namespace {

constexpr int kPipeWaitMs = std::chrono::milliseconds(limits::kPipeTime).count();

std::unexpected<Error> file_error(std::string_view doing, const std::string& path, int code) {
  std::string reason = std::generic_category().message(code);
  if (!reason.empty()) {
    reason.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(reason.front())));
  }
  const ErrorKind kind = code == ENOENT ? ErrorKind::not_found : ErrorKind::usage;
  return fail(kind, fmt::format("{} {}: {}", doing, path, reason));
}

bool is_pipe(const FileDescriptor& file) {
  struct stat status{};
  return ::fstat(file.get(), &status) == 0 && S_ISFIFO(status.st_mode);
}

/// Blocks until the pipe has bytes, or its writer has closed it. A pipe without a writer has no
/// end.
Result<> wait_for_writer(const FileDescriptor& pipe, const std::string& path) {
  pollfd waited{pipe.get(), POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&waited, 1, kPipeWaitMs)) < 0 && errno == EINTR) {
  }
  if (ready > 0) return {};
  return fail(ErrorKind::usage, fmt::format("read {}: a pipe to which nothing was written for {} s",
                                            path, limits::kPipeTime.count()));
}

Result<std::string> read_open_file(const FileDescriptor& file, const std::string& path,
                                   std::size_t max_bytes) {
  std::string content;
  std::array<char, 16384> chunk;
  const bool may_hang = is_pipe(file);
  for (;;) {
    if (may_hang) {
      if (Result<> waited = wait_for_writer(file, path); !waited) {
        return std::unexpected(std::move(waited).error());
      }
    }
    const ssize_t got = ::read(file.get(), chunk.data(), chunk.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return file_error("read", path, errno);
    if (got == 0) return content;
    content.append(chunk.data(), static_cast<std::size_t>(got));
    if (content.size() > max_bytes) {
      return fail(ErrorKind::usage, fmt::format("read {}: larger than {} bytes", path, max_bytes));
    }
  }
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
  struct stat status{};
  // Opening a pipe without a writer would block.
  const bool pipe = ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | (pipe ? O_NONBLOCK : 0)));
  if (!file.is_open()) return file_error("open", path, errno);
  return read_open_file(file, path, max_bytes);
}

Result<std::string> read_regular_file(const std::string& path, std::size_t max_bytes) {
  const Result<FileDescriptor> file = open_regular_file(path, O_RDONLY);
  if (!file) return std::unexpected(file.error());
  return read_open_file(*file, path, max_bytes);
}

Result<> check_readable(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return file_error("open", path, errno);
  if (is_pipe(file)) return fail(ErrorKind::usage, fmt::format("open {}: is a pipe", path));
  return {};
}

}  // namespace kinf
