// SPDX-License-Identifier: Apache-2.0
#include "kinf/process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <system_error>

#include "kinf/process/process_calls.h"

namespace kinf {
namespace {

/// The maximum delay, in milliseconds, before a stop, the deadline or the child's end is noticed.
constexpr int kSliceMs = 20;
constexpr std::chrono::milliseconds kSlice{kSliceMs};

/// Returns an unnamed file that contains `text`, positioned at its start. The result is not open if
/// a system call failed.
FileDescriptor file_of(const std::string& text) {
  FileDescriptor file = open_unnamed_file();
  for (std::size_t done = 0; file.is_open() && done < text.size();) {
    const ssize_t put = ::write(file.get(), text.data() + done, text.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return FileDescriptor();
    done += static_cast<std::size_t>(put);
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

/// The data that the child needs between fork and exec. Prepared by the parent, because the child
/// must not allocate.
struct Spawn {
  const char* path;
  char* const* arguments;
  char* const* environment;
  int input;    ///< the child's standard input; -1 means /dev/null, 0 means kinf's own
  int output;   ///< the child's standard output; 1 means kinf's own
  int failure;  ///< a pipe to write the errno to if exec fails
  bool own_group;
  bool foreground;
  const ProcessGuard* guard;  ///< may be null
  pid_t parent;
};

/// Returns whether the signal was already ignored when the shell started kinf. A foreground child
/// keeps ignoring such signals. SIGPIPE and SIGXFSZ do not count, because kinf itself ignores them.
bool is_ignored_by_shell(int signal) {
  if (signal == SIGPIPE || signal == SIGXFSZ) return false;
  struct sigaction current{};
  return ::sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

/// Runs in the child until exec. Resets blocked and ignored signals. Only makes system calls,
/// because the child shares the memory of its parent.
[[noreturn]] void become(const Spawn& spawn) {
  if (spawn.own_group) ::setpgid(0, 0);
  if (spawn.own_group && spawn.guard != nullptr) spawn.guard->watch_self();
  die_with_parent();
  if (::getppid() != spawn.parent) ::_exit(127);
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    if (!spawn.foreground || !is_ignored_by_shell(signal)) ::sigaction(signal, &action, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = spawn.input < 0 ? ::open("/dev/null", O_RDONLY) : spawn.input;
  if (input > 0) ::dup2(input, 0);
  if (spawn.output != 1) ::dup2(spawn.output, 1);
  if (!spawn.foreground) close_descriptors(3, ~0U, Closing::on_exec);
  ::execve(spawn.path, spawn.arguments, spawn.environment);
  const int error = errno;
  (void)!::write(spawn.failure, &error, sizeof error);
  ::_exit(127);
}

/// Uses vfork because fork copies the page tables, which is slow when the cache is big. posix_spawn
/// does not copy them either, but cannot request a signal on the parent's death.
pid_t spawn_child(const Spawn& spawn) {
#if defined(__APPLE__)
  const pid_t pid = ::fork();  // vfork() is deprecated on macOS
#else
  const pid_t pid = ::vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork)
#endif
  if (pid == 0) become(spawn);
  return pid;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> last_of_each_name(const std::vector<std::string>& environment) {
  std::map<std::string_view, std::string_view> by_name;
  for (const std::string& entry : environment) {
    by_name[std::string_view(entry).substr(0, entry.find('='))] = entry;
  }
  std::vector<std::string> out;
  for (const auto& [name, entry] : by_name) out.emplace_back(entry);
  return out;
}

enum class Drained { open, closed };

/// Reads everything that is in the pipe now. Does not block.
Drained drain(int fd, std::string& output) {
  std::array<char, 16384> chunk;
  for (;;) {
    const ssize_t got = ::read(fd, chunk.data(), chunk.size());
    if (got > 0) {
      output.append(chunk.data(), static_cast<std::size_t>(got));
      if (got < static_cast<ssize_t>(chunk.size())) return Drained::open;
      if (output.size() > (std::size_t{16} << 20)) return Drained::open;
    } else if (got == 0) {
      return Drained::closed;
    } else if (errno != EINTR) {
      return errno == EAGAIN ? Drained::open : Drained::closed;
    }
  }
}

Result<void> watch_child(ChildProcess& child, const ChildCommand& command, std::string& output,
                         Clock& clock, Clock::Mono deadline, const std::stop_token& stop) {
  const int fd = child.output();
  bool open = fd >= 0;
  bool reports_slow = command.on_slow != nullptr;
  const Clock::Mono slow_at = clock.now() + command.slow_after;
  for (;;) {
    const bool ended = child.has_ended();
    // If the child has ended, all of its output is in the pipe now.
    if (open && drain(fd, output) == Drained::closed) open = false;
    if (output.size() > command.max_output) {
      return fail(ErrorKind::protocol, "printed more than {} bytes", command.max_output);
    }
    if (ended) return {};
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    const Clock::Mono now = clock.now();
    if (now >= deadline) return fail(ErrorKind::unavailable, "timed out and was killed");
    if (reports_slow && now >= slow_at) {
      reports_slow = false;
      command.on_slow();
    }
    child.wait_a_slice(open ? fd : -1);
  }
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const ChildCommand& command) {
  const auto no_resources = [] {
    return fail(ErrorKind::internal, std::generic_category().message(errno));
  };
  const bool interactive = command.interactive || command.foreground;
  const bool shares_output = command.shares_output || command.foreground;
  Pipe output;
  FileDescriptor input;
  Pipe failure = Pipe::open();
  if (!failure.is_open()) return no_resources();
  if (!shares_output) {
    output = Pipe::open();
    if (!output.is_open() || ::fcntl(output.read_end.get(), F_SETFL, O_NONBLOCK) != 0) {
      return no_resources();
    }
  }
  if (command.input) {
    input = file_of(*command.input);
    if (!input.is_open()) return no_resources();
  }
  std::vector<std::string> arguments = command.arguments;
  arguments.insert(arguments.begin(), command.path);
  std::vector<std::string> environment = command.environment;
  if (command.guard != nullptr) add_mark(environment, command.guard->mark());
  environment = last_of_each_name(environment);
  const std::vector<char*> argv = pointers_to(arguments);
  const std::vector<char*> envp = pointers_to(environment);
  const pid_t pid =
      spawn_child({command.path.c_str(), argv.data(), envp.data(), interactive ? 0 : input.get(),
                   shares_output ? 1 : output.write_end.get(), failure.write_end.get(),
                   !interactive, command.foreground, command.guard, ::getpid()});
  if (pid < 0) return no_resources();
  std::unique_ptr<ChildProcess> child(new ChildProcess(pid, command, std::move(output.read_end)));
  failure.write_end.reset();
  // A successful exec closes the pipe.
  pollfd wait{failure.read_end.get(), POLLIN, 0};
  ::poll(&wait, 1, -1);
  int error = 0;
  if (::read(failure.read_end.get(), &error, sizeof error) == sizeof error) {
    return fail(error == ENOENT ? ErrorKind::not_found : ErrorKind::usage,
                std::generic_category().message(error));
  }
  return child;
}

ChildProcess::ChildProcess(pid_t pid, const ChildCommand& command, FileDescriptor output)
    : pid_(pid),
      own_group_(!command.interactive && !command.foreground),
      guard_(command.guard),
      output_(std::move(output)),
      handle_(watch_process(pid)) {}

ChildProcess::~ChildProcess() {
  if (!status_) terminate({});
}

void ChildProcess::wait_for_end() const {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 &&
         errno == EINTR) {
  }
}

ChildExit ChildProcess::exit() const {
  const int status = status_.value_or(0);
  return {WEXITSTATUS(status), WIFSIGNALED(status) ? WTERMSIG(status) : 0, ""};
}

void ChildProcess::wait_a_slice(int fd) const {
  std::array<pollfd, 2> waits = {{{fd, POLLIN, 0}, {handle_.get(), POLLIN, 0}}};
  // Without a pidfd, polls every millisecond once the output is closed, because the program is
  // about to end.
  ::poll(waits.data(), waits.size(), fd < 0 && !handle_.is_open() ? 1 : kSliceMs);
}

void ChildProcess::terminate(Clock::Duration patience) {
  send(SIGTERM);
  send(SIGCONT);  // a stopped program handles SIGTERM only when it continues
  for (Clock::Duration waited{}; waited < patience && !has_ended(); waited += kSlice) {
    wait_a_slice(-1);
  }
  // This also kills the other processes in the child's group.
  send(SIGKILL);
  while (!status_) collect(0);
}

void ChildProcess::send(int signal) const {
  if (own_group_) {
    ::kill(-pid_, signal);
  } else if (!status_) {
    ::kill(pid_, signal);
  }
}

bool ChildProcess::collect(int flags) {
  // WNOWAIT does not reap the child, so that its process id stays valid until its group has been
  // killed.
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | flags) == 0 &&
      info.si_pid == 0) {
    return false;
  }
  if (guard_ != nullptr && own_group_) {
    ::kill(-pid_, SIGKILL);
    guard_->release(pid_);
  }
  int status = 0;
  pid_t got = 0;
  do {
    got = ::waitpid(pid_, &status, 0);
  } while (got < 0 && errno == EINTR);
  // If SIGCHLD is ignored, the status is lost. Count it as a success.
  status_ = got == pid_ ? status : 0;
  return true;
}

Result<ChildExit> run_child(const ChildCommand& command, Clock& clock, Clock::Mono deadline,
                            const std::stop_token& stop) {
  const Result<std::unique_ptr<ChildProcess>> child = ChildProcess::start(command);
  if (!child) return fail(child);
  std::string output;
  if (Result<void> ran = watch_child(**child, command, output, clock, deadline, stop); !ran) {
    (*child)->terminate(command.patience);
    return fail(ran);
  }
  ChildExit exit = (*child)->exit();
  exit.output = std::move(output);
  return exit;
}

std::string find_executable(const std::string& name, const std::vector<std::string>& environment) {
  if (name.find('/') != std::string::npos) return name;
  std::string_view path;
  for (const std::string& entry : environment) {
    if (entry.starts_with("PATH=")) path = std::string_view(entry).substr(5);
  }
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const std::string candidate = std::string(path.substr(0, end)) + "/" + name;
    struct stat info{};
    const bool runnable = candidate.front() == '/' && !name.empty() &&
                          ::stat(candidate.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
                          ::access(candidate.c_str(), X_OK) == 0;
    if (runnable && path.front() == '/') return candidate;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return "";
}

}  // namespace kinf
