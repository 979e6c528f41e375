// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/stream_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

namespace kinf {
namespace {

constexpr std::size_t kReadBytes = std::size_t{256} << 10;

int milliseconds(std::optional<Clock::Duration> patience) {
  if (!patience) return -1;
  const auto count = std::chrono::ceil<std::chrono::milliseconds>(*patience).count();
  return static_cast<int>(std::clamp<std::int64_t>(count, 0, INT_MAX));
}

}  // namespace

Result<std::unique_ptr<StreamInput>> FileInput::open(const std::string& path) {
  const bool is_stdin = path == "-";
  FileDescriptor file(is_stdin ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                               :  // A pipe may have no writer yet: wait() waits for one.
                          ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  std::string name = is_stdin ? "standard input" : path;
  if (!file.is_open()) {
    return fail(errno == ENOENT ? ErrorKind::not_found : ErrorKind::internal,
                fmt::format("{}: {}", name, std::strerror(errno)));
  }
  return std::make_unique<FileInput>(std::move(file), std::move(name));
}

FileInput::FileInput(FileDescriptor file, std::string name)
    : file_(std::move(file)), name_(std::move(name)), start_(::lseek(file_.get(), 0, SEEK_CUR)) {}

Error FileInput::system_error() const {
  return {ErrorKind::internal, fmt::format("reading {}: {}", name_, std::strerror(errno))};
}

Result<bool> FileInput::wait(std::optional<Clock::Duration> patience, const std::stop_token& stop) {
  const std::stop_callback on_stop(stop, [this] { wake_.signal(); });
  std::array<pollfd, 2> waited = {{{file_.get(), POLLIN, 0}, {wake_.descriptor(), POLLIN, 0}}};
  const int ready = ::poll(waited.data(), waited.size(), milliseconds(patience));
  if (ready < 0 && errno != EINTR) return std::unexpected(system_error());
  return ready > 0 && waited[0].revents != 0 && !stop.stop_requested();
}

Result<StreamInput::Got> FileInput::read(std::string& bytes,
                                         std::optional<Clock::Duration> patience,
                                         const std::stop_token& stop) {
  const Result<bool> ready = wait(patience, stop);
  if (!ready) return std::unexpected(ready.error());
  if (!*ready) return Got::nothing;
  bytes.resize(kReadBytes);
  const ssize_t count = ::read(file_.get(), bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Got::nothing;
  if (count < 0) return std::unexpected(system_error());
  bytes.resize(static_cast<std::size_t>(count));
  return count == 0 ? Got::end : Got::bytes;
}

bool FileInput::rewind() { return start_ >= 0 && ::lseek(file_.get(), start_, SEEK_SET) >= 0; }

bool is_json_stream(const std::string& path) {
  if (path == "-") return true;
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return false;
  if (!S_ISREG(info.st_mode)) return !S_ISDIR(info.st_mode);
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 64> head{};
  const ssize_t count = ::read(file.get(), head.data(), head.size());
  const std::string_view text(head.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

}  // namespace kinf
