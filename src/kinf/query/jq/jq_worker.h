// SPDX-License-Identifier: Apache-2.0
// JqWorker: compiles and runs a jq program in a worker process, because libjq can neither be
// interrupted in all its functions, nor bounded, nor trusted not to crash.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/process/worker_process.h"

namespace kinf {

/// Threads: one at a time.
class JqWorker {
 public:
  /// Starts a process and compiles `expression` there. If it is not a jq expression, the result is
  /// null, and `reported` is libjq's message. Errors: usage, if the compiler exceeds a bound or
  /// crashes; internal, if libjq is missing or the system provides no process.
  static Result<std::unique_ptr<JqWorker>> start(std::string_view expression,
                                                 std::string& reported);

  /// Like Jq::run().
  Result<void> run(std::string_view input, std::optional<std::string_view> old,
                   const std::stop_token& stop, const WorkerProcess::Take& take);
  /// Like Jq::holds().
  Result<bool> holds(std::string_view input, std::optional<std::string_view> old,
                     const std::stop_token& stop);

 private:
  explicit JqWorker(std::unique_ptr<WorkerProcess> process) : process_(std::move(process)) {}
  Result<std::string> ask(char mode, std::string_view input, std::optional<std::string_view> old,
                          const std::stop_token& stop, const WorkerProcess::Take& take);

  const std::unique_ptr<WorkerProcess> process_;
};

}  // namespace kinf
