// SPDX-License-Identifier: Apache-2.0
// ExitRequest: the exit code of the command, once it is known, and the wait for it.
#pragma once

#include <optional>
#include <stop_token>
#include <thread>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/cli/exit_code.h"

namespace kinf {

/// The first thread to set the exit code wins. Threads: every call from any thread.
class ExitRequest {
 public:
  /// Stops what blocks, once the exit code is set.
  std::stop_token stop_token() const { return stop_.get_token(); }
  /// Stops writing to stdout: the command ends by a signal or a time-out, and must not wait for a
  /// slow reader.
  std::stop_token abort_token() const { return abort_.get_token(); }

  /// The first call counts; later calls do nothing.
  void set(ExitCode code);
  std::optional<ExitCode> code() const;
  /// Wakes wait(): something changed that the main thread may be waiting for.
  void notify();
  /// Blocks until the exit code is set, notify() or `deadline`; false at the deadline.
  bool wait(Clock& clock, Clock::Mono deadline = Clock::kNever);

 private:
  std::stop_source stop_;
  std::stop_source abort_;
  mutable Mutex mu_;
  CondVar changed_;
  std::optional<ExitCode> code_ KINF_GUARDED_BY(mu_);
  bool notified_ KINF_GUARDED_BY(mu_) = false;
};

/// Sets the exit code to ExitCode::timed_out at `deadline`, whatever the other threads do.
/// Threads: its own, unless `deadline` is kNever; the destructor stops and joins it.
class ExitTimer {
 public:
  /// The references must outlive this.
  ExitTimer(ExitRequest& exit_request, Clock& clock, Clock::Mono deadline);

 private:
  std::jthread thread_;
};

}  // namespace kinf
