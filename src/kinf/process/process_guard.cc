// SPDX-License-Identifier: Apache-2.0
// The guard process is a fork without exec. It only makes system calls, because locks that other
// threads held at the fork stay locked in it.
#include "kinf/process/process_guard.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "kinf/process/close_descriptors.h"

namespace kinf {
namespace {

using Groups = std::array<pid_t, ProcessGuard::kMostGroups>;

/// Handles one message: a positive number adds a process group, a negative one removes it.
void note(Groups& groups, std::size_t& count, pid_t message) {
  if (message > 0) {
    if (count < groups.size()) groups[count++] = message;
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (groups[i] != -message) continue;
    groups[i] = groups[--count];
    return;
  }
}

[[noreturn]] void keep_guard(int pipe) {
  // Starts a new session, so that Ctrl-C in the terminal does not end the guard.
  ::setsid();
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::prctl(PR_SET_NAME, "kinf-guard");
  // Closes all other descriptors, so that the guard does not keep kinf's pipes open.
  const auto kept = static_cast<unsigned>(pipe);
  if (kept > 0) close_descriptors(0, kept - 1, Closing::now);
  close_descriptors(kept + 1, ~0U, Closing::now);
  static Groups groups;
  std::size_t count = 0;
  pid_t message = 0;
  for (;;) {
    const ssize_t got = ::read(pipe, &message, sizeof message);
    if (got == static_cast<ssize_t>(sizeof message)) {
      note(groups, count, message);
    } else if (got >= 0 || errno != EINTR) {
      break;
    }
  }
  for (std::size_t i = 0; i < count; ++i) ::kill(-groups[i], SIGKILL);
  ::_exit(0);
}

}  // namespace

Result<std::unique_ptr<ProcessGuard>> ProcessGuard::start() {
  Pipe pipe = Pipe::open();
  const pid_t pid = pipe.is_open() ? ::fork() : -1;
  if (pid == 0) keep_guard(pipe.read_end.get());
  if (pid < 0) return fail(ErrorKind::internal, std::generic_category().message(errno));
  return std::unique_ptr<ProcessGuard>(new ProcessGuard(pid, std::move(pipe.write_end)));
}

ProcessGuard::~ProcessGuard() {
  pipe_.reset();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// Writes this small are atomic, even with several writers.
void ProcessGuard::watch_self() const {
  const pid_t group = ::getpid();
  (void)!::write(pipe_.get(), &group, sizeof group);
}

void ProcessGuard::release(pid_t group) const {
  const pid_t message = -group;
  (void)!::write(pipe_.get(), &message, sizeof message);
}

}  // namespace kinf
