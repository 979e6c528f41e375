// SPDX-License-Identifier: Apache-2.0
// ProcessGuard: a tiny process beside ours that kills the groups of programs we have started when
// ours ends in whatever way, SIGKILL included.
#pragma once

#include <sys/types.h>

#include <memory>
#include <utility>

#include "kinf/base/error.h"
#include "kinf/process/pipe.h"

namespace kinf {

/// Threads: release() from any thread, watch_self() from a child; the rest from one thread.
class ProcessGuard {
 public:
  /// How many groups may be watched at once; more are not guarded.
  static constexpr std::size_t kMostGroups = 4096;

  static Result<std::unique_ptr<ProcessGuard>> start();
  /// Kills what is still watched.
  ~ProcessGuard();
  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;

  /// For a child between fork and exec, whose group it leads: from now on the group dies with our
  /// process. Told by the parent, it would come too late for one that is killed at that moment.
  /// Calls the kernel only.
  void watch_self() const;
  /// To be called before the group's leader is waited for: its number may be another's after that.
  void release(pid_t group) const;

 private:
  ProcessGuard(pid_t pid, FileDescriptor pipe) : pid_(pid), pipe_(std::move(pipe)) {}

  const pid_t pid_;
  FileDescriptor pipe_;  ///< the guard ends when this closes, at the latest with our process
};

}  // namespace kinf
