// SPDX-License-Identifier: Apache-2.0
#include "kinf/process/process_calls.h"

#if defined(__linux__)

#include <sys/prctl.h>
#include <sys/syscall.h>

#include <csignal>

namespace kinf {

void die_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

void name_process(const char* name) { ::prctl(PR_SET_NAME, name); }

FileDescriptor watch_process(pid_t pid) {
  return FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

}  // namespace kinf

#else

namespace kinf {

void die_with_parent() {}

void name_process(const char* /*name*/) {}

FileDescriptor watch_process(pid_t /*pid*/) { return FileDescriptor(); }

}  // namespace kinf

#endif
