// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <optional>
#include <system_error>

#include "kinf/base/file_descriptor.h"

namespace kinf {
namespace {

/// How soon stop, the deadline and the child's end are noticed.
constexpr int kSliceMs = 20;
constexpr std::chrono::milliseconds kSlice{kSliceMs};

class Pipe {
 public:
  Pipe() : ok_(::pipe2(ends_.data(), O_CLOEXEC) == 0) {
    if (ok_) ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool ok() const { return ok_; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write_end() { close_end(1); }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }
  std::array<int, 2> ends_{-1, -1};
  bool ok_;
};

/// A file in memory that holds `text`, to be read from its start; -1 if there is none to be had.
int file_of(const std::string& text) {
  const int file = ::memfd_create("kinf-input", MFD_CLOEXEC);
  if (file < 0) return -1;
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t put = ::write(file, text.data() + done, text.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      ::close(file);
      return -1;
    }
    done += static_cast<std::size_t>(put);
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

/// What the child needs between fork and exec, made ready before: it must not allocate.
struct Spawn {
  const char* path;
  char* const* arguments;
  char* const* environment;
  int input;    ///< to be its standard input; -1: /dev/null; 0: ours
  int output;   ///< to be its standard output; 1: ours
  int failure;  ///< a pipe that takes the errno of an exec that failed
  bool own_group;
  const ProcessGuard* guard;  ///< may be null
  pid_t parent;
};

/// The child's life until it is another program. Signals as a fresh program expects them, whatever
/// this process blocks or ignores. Calls the kernel only: it borrows the memory of its parent.
[[noreturn]] void become(const Spawn& spawn) {
  if (spawn.own_group) ::setpgid(0, 0);
  if (spawn.own_group && spawn.guard != nullptr) spawn.guard->watch_self();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != spawn.parent) ::_exit(127);
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = spawn.input < 0 ? ::open("/dev/null", O_RDONLY) : spawn.input;
  if (input > 0) ::dup2(input, 0);
  if (spawn.output != 1) ::dup2(spawn.output, 1);
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  ::execve(spawn.path, spawn.arguments, spawn.environment);
  const int error = errno;
  (void)!::write(spawn.failure, &error, sizeof error);
  ::_exit(127);
}

/// vfork copies no page tables, which for a big cache is all the time it takes; posix_spawn would
/// do the same, but cannot ask for the signal at the parent's death.
pid_t spawn_child(const Spawn& spawn) {
  const pid_t pid = ::vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork)
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

/// A started program, until it has been waited for.
class Child {
 public:
  Child(pid_t pid, const ChildCommand& command)
      : pid_(pid), own_group_(!command.interactive), guard_(command.guard) {
    handle_ = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  }
  ~Child() {
    if (!status_) terminate({});
    if (handle_ >= 0) ::close(handle_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Never blocks.
  bool has_ended() { return status_.has_value() || collect(WNOHANG); }
  int status() const { return status_.value_or(0); }
  /// Waits until it ends, `fd` (-1: none) can be read, or a slice has passed.
  void wait_a_slice(int fd) const {
    std::array<pollfd, 2> waits = {{{fd, POLLIN, 0}, {handle_, POLLIN, 0}}};
    // Without a handle a program that has closed its output is about to end: look again soon.
    ::poll(waits.data(), waits.size(), fd < 0 && handle_ < 0 ? 1 : kSliceMs);
  }

  void terminate(Clock::Duration patience) {
    send(SIGTERM);
    for (Clock::Duration waited{}; waited < patience && !has_ended(); waited += kSlice) {
      wait_a_slice(-1);
    }
    // Also what the program has left behind in its group.
    send(SIGKILL);
    while (!status_) collect(0);
  }

 private:
  void send(int signal) const {
    if (own_group_) {
      ::kill(-pid_, signal);
    } else if (!status_) {
      ::kill(pid_, signal);
    }
  }
  bool collect(int flags) {
    // Looked at first without being waited for: as long as it is a zombie its number is its own, so
    // that what it has left behind in its group can be killed.
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
    // Where SIGCHLD is ignored nobody learns how it ended: then its output decides.
    status_ = got == pid_ ? status : 0;
    return true;
  }

  const pid_t pid_;
  const bool own_group_;
  ProcessGuard* const guard_;
  int handle_ = -1;  ///< a pidfd; -1 where there are none
  std::optional<int> status_;
};

enum class Drained { open, closed };

/// Takes what the pipe holds now.
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

Result<> watch_child(Child& child, int fd, const ChildCommand& command, std::string& output,
                     Clock& clock, Clock::Mono deadline, const std::stop_token& stop) {
  bool open = true;
  for (;;) {
    const bool ended = child.has_ended();
    // What was printed before the end is in the pipe by now.
    if (open && drain(fd, output) == Drained::closed) open = false;
    if (output.size() > command.max_output) {
      return fail(ErrorKind::protocol,
                  fmt::format("printed more than {} bytes", command.max_output));
    }
    if (ended) return {};
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    if (clock.now() >= deadline) return fail(ErrorKind::unavailable, "took too long, was killed");
    child.wait_a_slice(open ? fd : -1);
  }
}

}  // namespace

Result<ChildExit> run_child(const ChildCommand& command, Clock& clock, Clock::Mono deadline,
                            const std::stop_token& stop) {
  const auto no_resources = [] {
    return fail(ErrorKind::internal, std::generic_category().message(errno));
  };
  Pipe pipe;
  Pipe failure;
  if (!pipe.ok() || !failure.ok()) return no_resources();
  const FileDescriptor input(command.input ? file_of(*command.input) : -1);
  if (command.input && input.get() < 0) return no_resources();
  std::vector<std::string> arguments = command.arguments;
  arguments.insert(arguments.begin(), command.path);
  std::vector<std::string> environment = last_of_each_name(command.environment);
  const std::vector<char*> argv = pointers_to(arguments);
  const std::vector<char*> envp = pointers_to(environment);
  const pid_t pid = spawn_child({command.path.c_str(), argv.data(), envp.data(),
                                 command.interactive ? 0 : input.get(),
                                 command.shares_output ? 1 : pipe.write_end(), failure.write_end(),
                                 !command.interactive, command.guard, ::getpid()});
  if (pid < 0) return no_resources();
  Child child(pid, command);
  pipe.close_write_end();
  failure.close_write_end();
  // Whoever has become another program has closed the pipe by that.
  pollfd wait{failure.read_end(), POLLIN, 0};
  ::poll(&wait, 1, -1);
  int error = 0;
  if (::read(failure.read_end(), &error, sizeof error) == sizeof error) {
    return fail(error == ENOENT ? ErrorKind::not_found : ErrorKind::usage,
                std::generic_category().message(error));
  }
  ChildExit exit;
  Result<> watched =
      watch_child(child, pipe.read_end(), command, exit.output, clock, deadline, stop);
  if (!watched) {
    child.terminate(command.patience);
    return std::unexpected(std::move(watched).error());
  }
  if (WIFSIGNALED(child.status())) exit.signal = WTERMSIG(child.status());
  exit.code = WEXITSTATUS(child.status());
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
