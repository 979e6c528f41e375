// SPDX-License-Identifier: Apache-2.0
// ForegroundCommand: a child process that shares the terminal and standard streams of kinf.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/sync.h"
#include "kinf/cli/runtime/exit_request.h"

namespace kinf {

class ChildProcess;

/// Threads: one owner. An internal thread waits for the program.
class ForegroundCommand {
 public:
  /// Starts `arguments[0]`, found in PATH. When the program ends, sets the exit code to its status,
  /// or 128 + N if signal N ended it. `environment` is its full environment, as NAME=value.
  static Result<std::unique_ptr<ForegroundCommand>> start(
      const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
      ExitRequest& exit_request);
  /// Waits until the program has ended.
  ~ForegroundCommand();
  ForegroundCommand(const ForegroundCommand&) = delete;
  ForegroundCommand& operator=(const ForegroundCommand&) = delete;

  /// Sends SIGTERM to the program if it still runs, and continues it if it is stopped. Waits up to
  /// `patience` for the program to end, and sends SIGKILL if it has not ended.
  void terminate(Clock& clock, Clock::Duration patience);

 private:
  ForegroundCommand(std::unique_ptr<ChildProcess> child, ExitRequest& exit_request);

  const std::unique_ptr<ChildProcess> child_;
  /// Held while the child is signalled or reaped. After reaping, another process may get its pid.
  Mutex mu_;
  CondVar changed_;
  bool ended_ KINF_GUARDED_BY(mu_) = false;
  std::jthread waiter_;
};

}  // namespace kinf
