// SPDX-License-Identifier: Apache-2.0
// ObjectCommand: the user's program of `kinf run`, started for changed objects: the events on its
// standard input, what they are about in its environment.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/cli/run_controller.h"
#include "kinf/process/process_guard.h"

namespace kinf {

struct ObjectCommandOptions {
  std::vector<std::string> command;      ///< never empty
  std::vector<std::string> environment;  ///< NAME=value
  std::string cluster;                   ///< the context; may be empty
  bool as_batch = false;                 ///< a JSON array on standard input
  bool show_secrets = false;
  std::optional<Clock::Duration> timeout;
};

/// Threads: run() from any number of threads at once; its streams are ours.
class ObjectCommand {
 public:
  /// A usage error if there is no such program.
  static Result<std::unique_ptr<ObjectCommand>> create(ObjectCommandOptions options, Clock& clock);

  /// Blocks until the program has ended, at the time-out or on `stop` by TERM, five seconds later
  /// by KILL; nothing it started in its group is left then. Why it failed, or nothing.
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
