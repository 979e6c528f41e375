// SPDX-License-Identifier: Apache-2.0
#include "kinf/process/process_calls.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <csignal>
#endif

namespace kinf {
namespace {

constexpr rlim_t kClosedDescriptors = 65536;

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

#if defined(__linux__)

void die_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

void name_process(const char* name) { ::prctl(PR_SET_NAME, name); }

FileDescriptor watch_process(pid_t pid) {
  return FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

#else

void die_with_parent() {}

void name_process(const char* /*name*/) {}

FileDescriptor watch_process(pid_t /*pid*/) { return FileDescriptor(); }

#endif

void close_descriptors(unsigned first, unsigned last, Closing when) {
  if (!close_range(first, last, when)) close_descriptors_singly(first, last, when);
}

void close_descriptors_singly(unsigned first, unsigned last, Closing when) {
  rlimit limit{};
  const bool known = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
  const rlim_t end = known ? std::min(limit.rlim_cur, kClosedDescriptors) : kClosedDescriptors;
  for (unsigned fd = first; fd < end && fd <= last; ++fd) {
    if (when == Closing::now) {
      ::close(static_cast<int>(fd));
    } else {
      ::fcntl(static_cast<int>(fd), F_SETFD, FD_CLOEXEC);
    }
  }
}

FileDescriptor open_unnamed_file() {
#if defined(__linux__)
  return FileDescriptor(::memfd_create("kinf-input", MFD_CLOEXEC));
#else
  return open_removed_file();
#endif
}

FileDescriptor open_removed_file() {
  std::string path = P_tmpdir "/kinf-input-XXXXXX";
  FileDescriptor file(::mkstemp(path.data()));
  if (!file.is_open()) return file;
  ::unlink(path.c_str());
  set_close_on_exec(file.get());
  return file;
}

}  // namespace kinf
