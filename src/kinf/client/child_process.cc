// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <optional>
#include <system_error>

namespace kinf {
namespace {

/// How soon stop, the deadline and the child's end are noticed.
constexpr int kSliceMs = 20;
constexpr int kTermSlices = 25;

void wait_a_slice() { ::poll(nullptr, 0, kSliceMs); }

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

/// Signals as a fresh program expects them, whatever this process blocks or ignores.
class SpawnSettings {
 public:
  SpawnSettings(bool interactive, int output) {
    ::posix_spawn_file_actions_init(&actions_);
    if (!interactive) {
      ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    }
    ::posix_spawn_file_actions_adddup2(&actions_, output, 1);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 34))
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
#endif
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    const int group = interactive ? 0 : POSIX_SPAWN_SETPGROUP;
    ::posix_spawnattr_setflags(
        &attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  }
  ~SpawnSettings() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

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
  Child(pid_t pid, bool own_group) : pid_(pid), own_group_(own_group) {}
  ~Child() {
    if (!status_) terminate();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Never blocks.
  bool has_ended() { return status_.has_value() || collect(WNOHANG); }
  int status() const { return status_.value_or(0); }

  void terminate() {
    send(SIGTERM);
    for (int i = 0; i < kTermSlices && !has_ended(); ++i) wait_a_slice();
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
    int status = 0;
    const pid_t got = ::waitpid(pid_, &status, flags);
    if (got == 0 || (got < 0 && errno == EINTR)) return false;
    // Where SIGCHLD is ignored nobody learns how it ended: then its output decides.
    status_ = got == pid_ ? status : 0;
    return true;
  }

  pid_t pid_;
  bool own_group_;
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
    pollfd wait{fd, POLLIN, 0};
    // Once its output is closed a program is about to end: look again soon.
    ::poll(&wait, open ? 1U : 0U, open ? kSliceMs : 1);
  }
}

}  // namespace

Result<ChildExit> run_child(const ChildCommand& command, Clock& clock, Clock::Mono deadline,
                            const std::stop_token& stop) {
  Pipe pipe;
  if (!pipe.ok()) {
    return fail(ErrorKind::internal, std::generic_category().message(errno));
  }
  std::vector<std::string> arguments = command.arguments;
  arguments.insert(arguments.begin(), command.path);
  std::vector<std::string> environment = last_of_each_name(command.environment);
  const SpawnSettings settings(command.interactive, pipe.write_end());
  pid_t pid = 0;
  const int error =
      ::posix_spawn(&pid, command.path.c_str(), settings.actions(), settings.attributes(),
                    pointers_to(arguments).data(), pointers_to(environment).data());
  if (error != 0) {
    return fail(error == ENOENT ? ErrorKind::not_found : ErrorKind::usage,
                std::generic_category().message(error));
  }
  pipe.close_write_end();
  Child child(pid, !command.interactive);
  ChildExit exit;
  Result<> watched =
      watch_child(child, pipe.read_end(), command, exit.output, clock, deadline, stop);
  if (!watched) {
    child.terminate();
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
