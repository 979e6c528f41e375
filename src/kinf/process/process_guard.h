// SPDX-License-Identifier: Apache-2.0
// ProcessGuard: a helper process that kills the process groups of kinf's child processes, and all
// their descendants, when kinf ends, even by SIGKILL. A helper that is killed is replaced.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Threads: release() may be called from any thread, watch_self() only in a child process, the
/// other functions from one thread. Owns one thread, which waits for the helper to end.
class ProcessGuard {
 public:
  /// The maximum number of groups watched at once. Groups beyond this limit are not killed.
  static constexpr std::size_t kTrackedGroups = 4096;

  /// Starts the helper process, a fork of this one. Errors: internal, if a system call fails. A
  /// helper that replaces it knows the groups that are registered later, and the mark of all.
  static Result<std::unique_ptr<ProcessGuard>> start();
  /// Kills the groups that are still watched and all processes with the mark, and waits for the
  /// helper process to end.
  ~ProcessGuard();
  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;

  /// Registers the process group that the calling child leads. Call between fork and exec. The
  /// parent cannot do this, because it could be killed first. Only makes system calls.
  void watch_self() const;
  /// Returns the mark to add to the environment of children with add_mark(). Each guard has a
  /// different mark.
  const std::string& mark() const { return mark_; }
  /// Stops watching a group. Call before waiting for the group's leader, because after the wait the
  /// id of the leader may belong to another process.
  void release(pid_t group) const;

 private:
  ProcessGuard(Pipe pipe, std::string mark) : mark_(std::move(mark)), pipe_(std::move(pipe)) {}
  bool start_helper(bool replaces);
  void keep_helper(const std::stop_token& stop);

  const std::string mark_;
  /// The helper process ends when the write end is closed, at the latest when kinf ends. The read
  /// end stays open here, so that messages wait in the pipe until there is another helper.
  Pipe pipe_;
  Mutex mu_;
  pid_t pid_ KINF_GUARDED_BY(mu_) = -1;  ///< of the helper; -1 if there is none
  bool was_killed_ KINF_GUARDED_BY(mu_) = false;
  std::jthread keeper_;
};

// The functions below find processes by a mark in their environment, which their descendants
// inherit, even those that start their own session or process group.

/// Adds `mark` to the variable of marks in `environment` (entries NAME=value). Keeps the marks of
/// an outer kinf.
void add_mark(std::vector<std::string>& environment, std::string_view mark);

/// Kills all processes of this user whose environment contains `mark`, except this one, until there
/// are none. Blocks until they have ended, a few seconds at most. Works only on Linux, because it
/// reads /proc; on other systems this does nothing. Does not find processes that have cleared their
/// environment. Only makes system calls.
void kill_marked(std::string_view mark);

}  // namespace kinf
