// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/file_writer.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string>

#include "kinf/base/log.h"
#include "kinf/cli/runtime/error_report.h"

namespace kinf {
namespace {

/// After an abort, write() continues as long as the reader reads. It gives up if the reader reads
/// nothing for kPatienceMilliseconds, or after kWaits waits.
constexpr int kPatienceMilliseconds = 250;
constexpr int kWaits = 200;

bool is_pipe_or_terminal(int descriptor) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) return false;
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || ::isatty(descriptor) == 1;
}

/// Opens the file again with O_NONBLOCK. Setting the flag on `descriptor` would affect other
/// processes that share it. Returns -1 on failure, for example for a socket or without /proc.
int open_again(int descriptor) {
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  return ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

}  // namespace

FileWriter::FileWriter(int descriptor, const ExitRequest* exit_request)
    : exit_request_(exit_request),
      descriptor_(descriptor),
      is_terminal_(::isatty(descriptor) == 1) {
  if (exit_request == nullptr || !is_pipe_or_terminal(descriptor)) return;
  own_.reset(open_again(descriptor));
  if (own_.is_open()) {
    descriptor_ = own_.get();
  } else {
    may_block_ = true;
  }
  wake_.emplace();
  on_abort_.emplace(exit_request->abort_token(), [this] { wake_->signal(); });
}

void FileWriter::widen() const {
#ifdef F_SETPIPE_SZ
  constexpr int kBytes = 1 << 20;  // the default maximum for a pipe without privileges
  (void)::fcntl(descriptor_, F_SETPIPE_SZ, kBytes);
#endif
}

bool FileWriter::write(std::string_view text) {
  return is_terminal_ ? write_bytes(visible_text(text, colours_)) : write_bytes(text);
}

bool FileWriter::write_bytes(std::string_view text) {
  std::optional<log::StatusPause> pause;
  if (is_terminal_) pause.emplace();
  while (!text.empty() && is_writable()) {
    std::size_t size = text.size();
    if (may_block_) {
      wait_until_writable();
      if (!is_writable()) break;
      size = std::min<std::size_t>(size,
                                   PIPE_BUF);  // a writable pipe accepts this much without blocking
    }
    const ssize_t written = ::write(descriptor_, text.data(), size);
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      wait_until_writable();
    } else if (errno == EPIPE) {
      reader_is_gone_ = true;
    } else if (errno != EINTR) {
      failure_ = errno;
    }
  }
  return is_writable();
}

void FileWriter::wait_until_writable() {
  const int wake = wake_ ? wake_->descriptor() : -1;
  std::array<pollfd, 2> waited = {{{descriptor_, POLLOUT, 0}, {wake, POLLIN, 0}}};
  // If there is no descriptor to wake poll(), check for an abort every kPatienceMilliseconds.
  const int longest = wake >= 0 ? -1 : kPatienceMilliseconds;
  do {
    ::poll(waited.data(), waited.size(), longest);
    if (waited[0].revents != 0) return;
  } while (exit_request_ == nullptr || !exit_request_->abort_token().stop_requested());
  given_up_ = ++waits_after_abort_ > kWaits || ::poll(waited.data(), 1, kPatienceMilliseconds) <= 0;
}

ExitCode FileWriter::exit_code() {
  if (reader_is_gone_) return ExitCode::broken_pipe;
  if (given_up_) return exit_request_->code().value_or(ExitCode::other_error);
  if (failure_ == 0) return ExitCode::ok;
  if (!reported_) {
    report(
        Error(ErrorKind::internal, std::string("writing to stdout: ") + std::strerror(failure_)));
  }
  reported_ = true;
  return ExitCode::other_error;
}

void open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // open() returns the lowest free number, which is `descriptor`. The access mode is the opposite
    // of the stream's, so that reads of stdin and writes to stdout and stderr fail.
    (void)!::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

ExitCode write_stdout(std::string_view text, const ExitRequest* exit_request, ColourCodes colours) {
  FileWriter writer(STDOUT_FILENO, exit_request);
  if (colours == ColourCodes::keep) writer.keep_colours();
  writer.write(text);
  return writer.exit_code();
}

}  // namespace kinf
