// SPDX-License-Identifier: Apache-2.0
// ObjectCommand: runs the program of `kinf run` for changed objects. Passes events on standard
// input and describes the object in environment variables.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/cli/run/run_controller.h"
#include "kinf/process/process_guard.h"

namespace kinf {

struct ObjectCommandOptions {
  std::vector<std::string> command;      ///< the program and its arguments; never empty
  std::vector<std::string> environment;  ///< NAME=value
  std::string cluster;                   ///< the context name; may be empty
  bool as_batch = false;                 ///< write a JSON array to standard input
  bool show_secrets = false;
  std::optional<Clock::Duration> timeout;  ///< the limit for one run; nullopt means no limit
};

/// Runs a command for a changed object. Threads: run() may be called from several threads at once.
/// The command inherits kinf's stdout and stderr.
class ObjectCommand {
 public:
  /// Fails with a usage error if the program does not exist or is not executable.
  static Result<std::unique_ptr<ObjectCommand>> create(ObjectCommandOptions options, Clock& clock);

  /// Runs the program and blocks until it ends. On timeout or `stop`, sends SIGTERM, and SIGKILL
  /// 5 s later. No process of its process group remains. Returns why it failed, or nullopt. Does
  /// not run the program if the documents of all items are damaged.
  std::optional<std::string> run(const std::vector<RunItem>& items,
                                 const std::stop_token& stop) const;

 private:
  ObjectCommand(ObjectCommandOptions options, std::string path, std::unique_ptr<ProcessGuard> guard,
                Clock& clock)
      : options_(std::move(options)),
        path_(std::move(path)),
        guard_(std::move(guard)),
        clock_(clock) {}

  const ObjectCommandOptions options_;
  const std::string path_;
  const std::unique_ptr<ProcessGuard> guard_;
  Clock& clock_;
};

}  // namespace kinf
