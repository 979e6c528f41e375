// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <functional>
#include <system_error>

#include "kinf/base/clock.h"
#include "kinf/base/limits.h"

namespace kinf {

Result<FileDescriptor> open_regular_file(const std::string& path, int flags) {
  FileDescriptor file(::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  const int reason = errno;
  struct stat status{};
  if (file.is_open() && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode)) return file;
  if (file.is_open() || reason == ENXIO) {  // ENXIO: a pipe without a reader
    return fail(ErrorKind::internal, "{}: not a regular file", path);
  }
  if (reason == ELOOP) {
    return fail(ErrorKind::internal, "{}: a symbolic link, which kinf does not follow", path);
  }
  return fail(reason == ENOENT ? ErrorKind::not_found : ErrorKind::internal, "{}: {}", path,
              std::generic_category().message(reason));
}

namespace {

std::unexpected<Error> file_error(std::string_view doing, const std::string& path, int code) {
  std::string reason = std::generic_category().message(code);
  if (!reason.empty()) {
    reason.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(reason.front())));
  }
  const ErrorKind kind = code == ENOENT ? ErrorKind::not_found : ErrorKind::usage;
  return fail(kind, "{} {}: {}", doing, path, reason);
}

bool is_pipe(const FileDescriptor& file) {
  struct stat status{};
  return ::fstat(file.get(), &status) == 0 && S_ISFIFO(status.st_mode);
}

/// Returns whether reading may block forever: a pipe that no process writes to, or a terminal.
bool may_hang(const FileDescriptor& file) {
  struct stat status{};
  return ::fstat(file.get(), &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode));
}

/// Waits before each read of a file for which may_hang() is true.
class PipeWait {
 public:
  PipeWait(const FileDescriptor& pipe, const std::string& path, const std::stop_token& stop)
      : pipe_(pipe), path_(path), on_stop_(stop, [this] { wake_.signal(); }) {}

  /// Blocks until the pipe has bytes or its writer has closed it. Errors: stopped; usage, after
  /// limits::kPipeTime without a byte, and limits::kWholePipeTime after the first call.
  Result<void> wait() {
    std::array<pollfd, 2> waited = {{{pipe_.get(), POLLIN, 0}, {wake_.descriptor(), POLLIN, 0}}};
    int ready = 0;
    while ((ready = poll_for(waited, limits::kPipeTime)) < 0 && errno == EINTR) {
    }
    if (waited[1].revents != 0) return fail(ErrorKind::stopped, "read {}: stopped", path_);
    if (ready <= 0) {
      return fail(ErrorKind::usage, "read {}: a pipe to which nothing was written for {} s", path_,
                  limits::kPipeTime.count());
    }
    if (clock_.now() < end_) return {};
    return fail(ErrorKind::usage, "read {}: a pipe that was not closed within {} s", path_,
                limits::kWholePipeTime.count());
  }

 private:
  const FileDescriptor& pipe_;
  const std::string& path_;
  const WakeEvent wake_;
  const std::stop_callback<std::function<void()>> on_stop_;
  RealClock clock_;
  const Clock::Mono end_ = clock_.now() + limits::kWholePipeTime;
};

/// Calls `wait` before each read.
template <class Wait>
Result<std::string> read_until_end(int descriptor, const std::string& path, std::size_t max_bytes,
                                   const Wait& wait) {
  std::string content;
  std::array<char, 16384> chunk;
  for (;;) {
    if (Result<void> waited = wait(); !waited) return fail(waited);
    const ssize_t got = ::read(descriptor, chunk.data(), chunk.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return file_error("read", path, errno);
    if (got == 0) return content;
    content.append(chunk.data(), static_cast<std::size_t>(got));
    if (content.size() > max_bytes) {
      return fail(ErrorKind::usage, "read {}: larger than {} bytes", path, max_bytes);
    }
  }
}

Result<std::string> read_open_file(const FileDescriptor& file, const std::string& path,
                                   std::size_t max_bytes, const std::stop_token& stop) {
  if (!may_hang(file)) {
    return read_until_end(file.get(), path, max_bytes, [] { return Result<void>(); });
  }
  PipeWait pipe(file, path, stop);
  return read_until_end(file.get(), path, max_bytes, [&] { return pipe.wait(); });
}

}  // namespace

Result<std::string> read_standard_input(std::size_t max_bytes) {
  return read_until_end(STDIN_FILENO, "standard input", max_bytes, [] {
    pollfd waited{STDIN_FILENO, POLLIN, 0};
    while (::poll(&waited, 1, -1) < 0 && errno == EINTR) {
    }
    return Result<void>();
  });
}

Result<std::string> read_file(const std::string& path, std::size_t max_bytes,
                              const std::stop_token& stop) {
  // Without O_NONBLOCK, opening a pipe that has no writer would block. Regular files ignore it.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file.is_open()) return file_error("open", path, errno);
  return read_open_file(file, path, max_bytes, stop);
}

Result<std::string> read_regular_file(const std::string& path, std::size_t max_bytes) {
  const Result<FileDescriptor> file = open_regular_file(path, O_RDONLY);
  if (!file) return fail(file);
  return read_until_end(file->get(), path, max_bytes, [] { return Result<void>(); });
}

Result<void> check_readable(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return file_error("open", path, errno);
  if (is_pipe(file)) return fail(ErrorKind::usage, "open {}: is a pipe", path);
  return {};
}

void make_private_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    ::mkdir(path.substr(0, slash).c_str(), 0700);
    if (slash == std::string::npos) return;
  }
}

bool write_fully(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<void> write_private_file(const std::string& path, std::string_view content) {
  const auto failure = [&] {
    return fail(ErrorKind::internal, "{}: {}", path, std::generic_category().message(errno));
  };
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file.is_open()) return failure();
  // Changes the mode of regular files only, not of a pipe or terminal.
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return failure();
  if (S_ISREG(status.st_mode) && ::fchmod(file.get(), 0600) != 0) return failure();
  return write_fully(file.get(), content) ? Result<void>() : failure();
}

}  // namespace kinf
