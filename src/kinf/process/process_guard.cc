// SPDX-License-Identifier: Apache-2.0
// The guard process is a fork without exec. It only makes system calls, because locks that other
// threads held at the fork stay locked in it.
#include "kinf/process/process_guard.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "kinf/process/close_descriptors.h"
#include "kinf/process/marked_processes.h"
#include "kinf/process/process_calls.h"

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

/// Returns a text that is in no other environment.
Result<std::string> new_mark() {
  std::array<std::uint64_t, 2> random{};
  if (::getentropy(random.data(), sizeof random) != 0) {
    return fail(ErrorKind::internal, std::generic_category().message(errno));
  }
  return fmt::format("{:016x}{:016x}", random[0], random[1]);
}

[[noreturn]] void keep_guard(int pipe, const std::string& mark) {
  // Starts a new session, so that Ctrl-C in the terminal does not end the guard.
  ::setsid();
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  name_process("kinf-guard");
  // Closes all other descriptors, so that the guard does not keep kinf's pipes open.
  const auto kept = static_cast<unsigned>(pipe);
  if (kept > 0) close_descriptors(0, kept - 1, Closing::now);
  close_descriptors(kept + 1, ~0U, Closing::now);
  static Groups groups;
  std::size_t count = 0;
  bool used = false;
  pid_t message = 0;
  for (;;) {
    const ssize_t got = ::read(pipe, &message, sizeof message);
    if (got == static_cast<ssize_t>(sizeof message)) {
      used = true;
      note(groups, count, message);
    } else if (got >= 0 || errno != EINTR) {
      break;
    }
  }
  for (std::size_t i = 0; i < count; ++i) ::kill(-groups[i], SIGKILL);
  if (used) kill_marked(mark);
  ::_exit(0);
}

}  // namespace

Result<std::unique_ptr<ProcessGuard>> ProcessGuard::start() {
  Result<std::string> mark = new_mark();
  if (!mark) return std::unexpected(std::move(mark).error());
  Pipe pipe = Pipe::open();
  const pid_t pid = pipe.is_open() ? ::fork() : -1;
  if (pid == 0) keep_guard(pipe.read_end.get(), *mark);
  if (pid < 0) return fail(ErrorKind::internal, std::generic_category().message(errno));
  return std::unique_ptr<ProcessGuard>(
      new ProcessGuard(pid, std::move(pipe.write_end), *std::move(mark)));
}

ProcessGuard::~ProcessGuard() {
  pipe_.reset();
  ::kill(pid_, SIGCONT);  // it may be stopped
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) kill_marked(mark_);  // the guard was killed
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
