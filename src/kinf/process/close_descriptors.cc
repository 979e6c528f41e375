// SPDX-License-Identifier: Apache-2.0
// Calls close_range() (Linux 5.9; CLOSE_RANGE_CLOEXEC since 5.11) by its number: musl and old
// versions of glibc have no function for it.
#include "kinf/process/close_descriptors.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

namespace kinf {
namespace {

constexpr rlim_t kMostDescriptors = 65536;

bool close_range(unsigned first, unsigned last, Closing when) {
#if defined(SYS_close_range)
  constexpr unsigned kCloseOnExec = 4;  // CLOSE_RANGE_CLOEXEC
  const unsigned flags = when == Closing::on_exec ? kCloseOnExec : 0;
  return ::syscall(SYS_close_range, first, last, flags) == 0;
#else
  (void)first, (void)last, (void)when;
  return false;
#endif
}

}  // namespace

void close_descriptors(unsigned first, unsigned last, Closing when) {
  if (!close_range(first, last, when)) close_descriptors_singly(first, last, when);
}

void close_descriptors_singly(unsigned first, unsigned last, Closing when) {
  rlimit limit{};
  const bool known = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
  const rlim_t end = known ? std::min(limit.rlim_cur, kMostDescriptors) : kMostDescriptors;
  for (unsigned fd = first; fd < end && fd <= last; ++fd) {
    if (when == Closing::now) {
      ::close(static_cast<int>(fd));
    } else {
      ::fcntl(static_cast<int>(fd), F_SETFD, FD_CLOEXEC);
    }
  }
}

}  // namespace kinf
