// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/inspect/foreground_command.h"

#include <signal.h>

#include "kinf/process/child_process.h"

namespace kinf {

Result<std::unique_ptr<ForegroundCommand>> ForegroundCommand::start(
    const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
    ExitRequest& exit_request) {
  ChildCommand command;
  command.path = find_executable(arguments.front(), environment);
  if (command.path.empty())
    command.path = arguments.front();  // not found, so ChildProcess::start() will fail
  command.arguments.assign(arguments.begin() + 1, arguments.end());
  command.environment = environment;
  command.foreground = true;
  Result<std::unique_ptr<ChildProcess>> child = ChildProcess::start(command);
  if (!child) return fail(ErrorKind::usage, "{}: {}", arguments.front(), child.error().message);
  return std::unique_ptr<ForegroundCommand>(new ForegroundCommand(*std::move(child), exit_request));
}

ForegroundCommand::ForegroundCommand(std::unique_ptr<ChildProcess> child, ExitRequest& exit_request)
    : child_(std::move(child)) {
  waiter_ = std::jthread([this, &exit_request] {
    child_->wait_for_end();
    MutexLock lock(mu_);
    (void)child_->has_ended();
    ended_ = true;
    changed_.notify_all();
    const ChildExit exit = child_->exit();
    exit_request.set(static_cast<ExitCode>(exit.signal != 0 ? 128 + exit.signal : exit.code));
  });
}

ForegroundCommand::~ForegroundCommand() { waiter_.join(); }

void ForegroundCommand::terminate(Clock& clock, Clock::Duration patience) {
  MutexLock lock(mu_);
  child_->send(SIGTERM);
  child_->send(SIGCONT);
  const Clock::Mono deadline = clock.now() + patience;
  while (!ended_ && clock.now() < deadline) clock.wait_until(changed_, mu_, deadline, {});
  if (!ended_) child_->send(SIGKILL);
}

}  // namespace kinf
