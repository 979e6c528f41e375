// SPDX-License-Identifier: Apache-2.0
// ExitRequest: holds the exit code of the command and lets threads wait for it.
#pragma once

#include <optional>
#include <stop_token>
#include <thread>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/cli/runtime/exit_code.h"

namespace kinf {

/// The first thread to set the exit code wins, except that a signal replaces ExitCode::ok, because
/// the command may still be writing its output. Threads: any.
class ExitRequest {
 public:
  /// Returns a token that cancels blocking calls. Stop is requested when the exit code is set.
  std::stop_token stop_token() const { return stop_.get_token(); }
  /// Returns a token that cancels writes to stdout, which would otherwise wait for a slow reader.
  /// Stop is requested when a signal or a timeout ends the command.
  std::stop_token abort_token() const { return abort_.get_token(); }

  /// Sets the exit code. Later calls have no effect, except for a signal after ExitCode::ok.
  void set(ExitCode code);
  std::optional<ExitCode> code() const;
  /// Wakes wait(), so that the main thread checks its condition again.
  void notify();
  /// Blocks until the exit code is set, notify() is called, or `deadline` is reached. Returns false
  /// only if the deadline came first.
  bool wait(Clock& clock, Clock::Mono deadline = Clock::kNever);

 private:
  std::stop_source stop_;
  std::stop_source abort_;
  mutable Mutex mu_;
  CondVar changed_;
  std::optional<ExitCode> code_ KINF_GUARDED_BY(mu_);
  bool notified_ KINF_GUARDED_BY(mu_) = false;
};

/// Sets the exit code to `code` at `deadline`. Threads: starts one unless `deadline`
/// is kNever; the destructor stops and joins it.
class ExitTimer {
 public:
  /// The references must outlive this object.
  ExitTimer(ExitRequest& exit_request, Clock& clock, Clock::Mono deadline,
            ExitCode code = ExitCode::timed_out);

 private:
  std::jthread thread_;
};

}  // namespace kinf
