// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/foreground_command.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>

namespace kinf {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

/// Attributes that give the program the signals as we found them.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    sigset_t defaults = none;
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

int exit_code_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Result<std::unique_ptr<ForegroundCommand>> ForegroundCommand::start(
    const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
    ExitRequest& exit_request) {
  const std::vector<char*> argv = pointers(arguments);
  const std::vector<char*> envp = pointers(environment);
  const SpawnAttributes attributes;
  pid_t pid = 0;
  const int error =
      ::posix_spawnp(&pid, argv.front(), nullptr, attributes.get(), argv.data(), envp.data());
  if (error != 0) {
    return fail(ErrorKind::usage, fmt::format("{}: {}", arguments.front(), std::strerror(error)));
  }
  return std::unique_ptr<ForegroundCommand>(new ForegroundCommand(pid, exit_request));
}

ForegroundCommand::ForegroundCommand(pid_t pid, ExitRequest& exit_request) : pid_(pid) {
  waiter_ = std::jthread([this, &exit_request] {
    // Waits without reaping first, so that terminate() never signals somebody else's process.
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    int status = 0;
    {
      MutexLock lock(mu_);
      running_ = false;
      ::waitpid(pid_, &status, 0);
    }
    exit_request.set(static_cast<ExitCode>(exit_code_of(status)));
  });
}

ForegroundCommand::~ForegroundCommand() { waiter_.join(); }

void ForegroundCommand::terminate() {
  MutexLock lock(mu_);
  if (running_) ::kill(pid_, SIGTERM);
}

}  // namespace kinf
