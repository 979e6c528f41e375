// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/file_writer.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace kinf {

void FileWriter::widen() const {
#ifdef F_SETPIPE_SZ
  constexpr int kBytes = 1 << 20;  // the most that an unprivileged process may ask for
  (void)::fcntl(descriptor_, F_SETPIPE_SZ, kBytes);
#endif
}

bool FileWriter::write(std::string_view text) {
  while (!text.empty() && !reader_is_gone_ && failure_ == 0) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {  // another program shares the descriptor and made it non-blocking
      pollfd ready{descriptor_, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno == EPIPE) {
      reader_is_gone_ = true;
    } else if (errno != EINTR) {
      failure_ = errno;
    }
  }
  return exit_code() == ExitCode::ok;
}

ExitCode FileWriter::exit_code() const {
  if (reader_is_gone_) return ExitCode::broken_pipe;
  return failure_ == 0 ? ExitCode::ok : ExitCode::other_error;
}

ExitCode write_stdout(std::string_view text) {
  FileWriter writer(STDOUT_FILENO);
  writer.write(text);
  return writer.exit_code();
}

}  // namespace kinf
