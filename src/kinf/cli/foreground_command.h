// SPDX-License-Identifier: Apache-2.0
// ForegroundCommand: a program started with our terminal and streams, and what becomes of it.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/cli/exit_request.h"
#include "kinf/process/child_process.h"

namespace kinf {

/// Threads: one owner; a thread of its own waits for the program.
class ForegroundCommand {
 public:
  /// Looks `arguments[0]` up in PATH. When the program ends, sets the exit code to its status, or
  /// 128 + N if signal N ended it. `environment` is all it gets, as NAME=value.
  static Result<std::unique_ptr<ForegroundCommand>> start(
      const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
      ExitRequest& exit_request);
  /// Waits for the program.
  ~ForegroundCommand();
  ForegroundCommand(const ForegroundCommand&) = delete;
  ForegroundCommand& operator=(const ForegroundCommand&) = delete;

  /// Asks the program to end, if it still runs.
  void terminate();

 private:
  ForegroundCommand(std::unique_ptr<ChildProcess> child, ExitRequest& exit_request);

  const std::unique_ptr<ChildProcess> child_;
  Mutex mu_;  ///< taken to signal the child and to collect it: its number may be another's then
  std::jthread waiter_;
};

}  // namespace kinf
