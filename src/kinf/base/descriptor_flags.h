// SPDX-License-Identifier: Apache-2.0
// Sets the flags of a file descriptor after it was opened, for calls that cannot set them at once.
#pragma once

#include <fcntl.h>

namespace kinf {

/// Closes the descriptor on exec. Returns false and sets errno on failure.
inline bool set_close_on_exec(int fd) { return ::fcntl(fd, F_SETFD, FD_CLOEXEC) == 0; }

/// Makes reads and writes return at once. Returns false and sets errno on failure.
inline bool set_non_blocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

}  // namespace kinf
