// SPDX-License-Identifier: Apache-2.0
// ProcessGuard: a small second process that kills the process groups of the programs kinf has
// started when kinf ends in any way, even by SIGKILL.
#pragma once

#include <sys/types.h>

#include <memory>
#include <utility>

#include "kinf/base/error.h"
#include "kinf/process/pipe.h"

namespace kinf {

/// Threads: release() may be called from any thread, watch_self() only in a child; all else from
/// one thread.
class ProcessGuard {
 public:
  /// The most groups that are watched at once. Further ones are not killed.
  static constexpr std::size_t kMostGroups = 4096;

  /// Starts the process, which is a fork of this one. Errors: internal, if the system refuses.
  static Result<std::unique_ptr<ProcessGuard>> start();
  /// Kills the groups that are still watched, and waits for the process.
  ~ProcessGuard();
  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;

  /// Registers the calling child's process group, which it leads; call between fork and exec. If
  /// the parent did this, it could be killed before. Only makes system calls.
  void watch_self() const;
  /// Stops watching a group. Call before the group's leader is waited for: after that, its id may
  /// belong to another process.
  void release(pid_t group) const;

 private:
  ProcessGuard(pid_t pid, FileDescriptor pipe) : pid_(pid), pipe_(std::move(pipe)) {}

  const pid_t pid_;
  FileDescriptor pipe_;  ///< the guard ends when this is closed, at the latest when kinf ends
};

}  // namespace kinf
