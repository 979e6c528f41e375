// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/file_writer.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace kinf {

void FileWriter::widen() const {
#ifdef F_SETPIPE_SZ
  constexpr int kBytes = 1 << 20;  // as much as anybody may ask for
  (void)::fcntl(descriptor_, F_SETPIPE_SZ, kBytes);
#endif
}

bool FileWriter::write(std::string_view text) {
  while (!text.empty() && !reader_is_gone_ && failure_ == 0) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {  // somebody shares the descriptor and made it non-blocking
      pollfd ready{descriptor_, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno == EPIPE) {
      reader_is_gone_ = true;
    } else if (errno != EINTR) {
      failure_ = errno;
    }
  }
  return !reader_is_gone_ && failure_ == 0;
}

}  // namespace kinf
