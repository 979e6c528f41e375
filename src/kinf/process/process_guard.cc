// SPDX-License-Identifier: Apache-2.0
// The guard process is a fork without exec. It only makes system calls, because locks that other
// threads held at the fork stay locked in the guard. kill_marked() runs in the guard, so it must
// not allocate.
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

#include "kinf/base/clock.h"
#include "kinf/process/process_calls.h"

#if defined(__linux__)
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>

#include <charconv>
#include <cstring>
#endif

namespace kinf {
namespace {

using Groups = std::array<pid_t, ProcessGuard::kTrackedGroups>;

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

/// Returns a random text that the environment of no other process contains.
Result<std::string> new_mark() {
  std::array<std::uint64_t, 2> random{};
  if (::getentropy(random.data(), sizeof random) != 0) {
    return fail(ErrorKind::internal, std::generic_category().message(errno));
  }
  return fmt::format("{:016x}{:016x}", random[0], random[1]);
}

/// `used`: there may be marked processes that no message announces.
[[noreturn]] void keep_guard(int pipe, const std::string& mark, bool used) {
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
  if (!mark) return fail(mark);
  std::unique_ptr<ProcessGuard> guard(new ProcessGuard(Pipe::open(), *std::move(mark)));
  if (!guard->pipe_.is_open() || !guard->start_helper(false)) {
    return fail(ErrorKind::internal, std::generic_category().message(errno));
  }
  // A full pipe must not block: without a helper, no process reads it.
  set_non_blocking(guard->pipe_.write_end.get());
  try {
    guard->keeper_ =
        std::jthread([&one = *guard](const std::stop_token& stop) { one.keep_helper(stop); });
  } catch (const std::system_error& error) {
    return fail(ErrorKind::internal, error.code().message());
  }
  return guard;
}

bool ProcessGuard::start_helper(bool replaces) {
  MutexLock lock(mu_);
  if (!pipe_.write_end.is_open()) return true;  // kinf ends
  const pid_t pid = ::fork();
  if (pid == 0) keep_guard(pipe_.read_end.get(), mark_, replaces);
  pid_ = pid;
  return pid > 0;
}

/// Waits for the helper and replaces it, until the helper ends because the destructor has closed
/// the pipe.
void ProcessGuard::keep_helper(const std::stop_token& stop) {
  constexpr std::chrono::seconds kPause(
      1);  // a system that kills helpers must not get many of them
  RealClock clock;
  for (Clock::Mono earliest{}; !stop.stop_requested();) {
    pid_t pid = -1;
    {
      MutexLock lock(mu_);
      pid = pid_;
    }
    siginfo_t info{};
    while (pid > 0 && ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    if (pid > 0) {  // the id stays valid until here
      MutexLock lock(mu_);
      ::waitpid(pid, nullptr, 0);
      was_killed_ = info.si_code != CLD_EXITED;
      pid_ = -1;
    }
    if (stop.stop_requested() || !sleep_until(clock, earliest, stop)) return;
    earliest = clock.now() + kPause;
    start_helper(true);
  }
}

ProcessGuard::~ProcessGuard() {
  keeper_.request_stop();
  {
    MutexLock lock(mu_);
    pipe_.write_end.reset();
    if (pid_ > 0) ::kill(pid_, SIGCONT);  // the helper may be stopped
    if (pid_ < 0) was_killed_ = true;
  }
  if (keeper_.joinable()) keeper_.join();
  MutexLock lock(mu_);
  // The thread may have ended just after it had started another helper.
  while (pid_ > 0 && ::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (was_killed_) kill_marked(mark_);
}

// Writes to a pipe that are this small are atomic, even with several writers.
void ProcessGuard::watch_self() const {
  const pid_t group = ::getpid();
  (void)!::write(pipe_.write_end.get(), &group, sizeof group);
}

void ProcessGuard::release(pid_t group) const {
  const pid_t message = -group;
  (void)!::write(pipe_.write_end.get(), &message, sizeof message);
}

void add_mark(std::vector<std::string>& environment, std::string_view mark) {
  constexpr std::string_view kVariable = "_KINF_GUARD=";
  std::string entry(kVariable);
  for (const std::string& each : environment) {
    if (each.starts_with(kVariable)) entry = each + ":";
  }
  environment.push_back(entry + std::string(mark));
}

#if defined(__linux__)

namespace {

constexpr std::size_t kMarkBytes = 64;
/// The maximum number of rounds in kill_marked(). A killed process may never end, for example while
/// it waits for a hanging file system.
constexpr int kRounds = 2000;
constexpr int kPauseMs = 1;

bool contains_mark(int file, std::string_view mark) {
  std::array<char, 8192> buffer;
  std::size_t held = 0;  // bytes kept from the previous read, in which a mark may begin
  for (;;) {
    const ssize_t got = ::read(file, buffer.data() + held, buffer.size() - held);
    if (got <= 0) return false;
    const std::string_view text(buffer.data(), held + static_cast<std::size_t>(got));
    if (text.find(mark) != std::string_view::npos) return true;
    held = std::min(text.size(), mark.size());
    std::memmove(buffer.data(), text.data() + text.size() - held, held);
  }
}

/// Kills the process whose folder in /proc is `name`, if its environment contains the mark. Returns
/// whether the process was killed.
bool kill_if_marked(int proc, const char* name, std::string_view mark) {
  pid_t pid = 0;
  const char* const end = name + std::strlen(name);
  const auto [rest, error] = std::from_chars(name, end, pid);
  if (error != std::errc() || rest != end || pid == ::getpid()) return false;
  std::array<char, 32> path{};
  std::memcpy(path.data(), name, static_cast<std::size_t>(end - name));
  std::memcpy(path.data() + (end - name), "/environ", sizeof "/environ");
  const FileDescriptor file(::openat(proc, path.data(), O_RDONLY | O_CLOEXEC));
  return file.is_open() && contains_mark(file.get(), mark) && ::kill(pid, SIGKILL) == 0;
}

/// Kills all marked processes that exist now. Returns whether there were any.
bool kill_once(std::string_view mark) {
  const FileDescriptor proc(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  alignas(dirent64) std::array<char, 8192> entries;
  bool found = false;
  for (;;) {
    const long size = ::syscall(SYS_getdents64, proc.get(), entries.data(), entries.size());
    if (size <= 0) return found;
    for (long at = 0; at < size;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      found = kill_if_marked(proc.get(), entry->d_name, mark) || found;
      at += entry->d_reclen;
    }
  }
}

}  // namespace

void kill_marked(std::string_view mark) {
  if (mark.empty() || mark.size() > kMarkBytes) return;
  for (int round = 0; round < kRounds && kill_once(mark); ++round) {
    ::poll(nullptr, 0, kPauseMs);
  }
}

#else

void kill_marked(std::string_view /*mark*/) {}

#endif

}  // namespace kinf
