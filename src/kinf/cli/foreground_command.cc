// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/foreground_command.h"

#include <fmt/format.h>
#include <signal.h>

namespace kinf {

Result<std::unique_ptr<ForegroundCommand>> ForegroundCommand::start(
    const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
    Ending& ending) {
  ChildCommand command;
  command.path = find_executable(arguments.front(), environment);
  if (command.path.empty()) command.path = arguments.front();  // to be refused with its name
  command.arguments.assign(arguments.begin() + 1, arguments.end());
  command.environment = environment;
  command.foreground = true;
  Result<std::unique_ptr<ChildProcess>> child = ChildProcess::start(command);
  if (!child) {
    return fail(ErrorKind::usage, fmt::format("{}: {}", arguments.front(), child.error().message));
  }
  return std::unique_ptr<ForegroundCommand>(new ForegroundCommand(*std::move(child), ending));
}

ForegroundCommand::ForegroundCommand(std::unique_ptr<ChildProcess> child, Ending& ending)
    : child_(std::move(child)) {
  waiter_ = std::jthread([this, &ending] {
    child_->wait_for_end();
    MutexLock lock(mu_);
    (void)child_->has_ended();
    const ChildExit exit = child_->exit();
    ending.end(static_cast<ExitCode>(exit.signal != 0 ? 128 + exit.signal : exit.code));
  });
}

ForegroundCommand::~ForegroundCommand() { waiter_.join(); }

void ForegroundCommand::terminate() {
  MutexLock lock(mu_);
  child_->send(SIGTERM);
}

}  // namespace kinf
