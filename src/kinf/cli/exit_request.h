// SPDX-License-Identifier: Apache-2.0
// ExitRequest: the exit code of the command, once it is known, and the wait for it.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/cli/exit_code.h"

namespace kinf {

/// The first thread to set the exit code wins. Threads: every call from any thread.
class ExitRequest {
 public:
  /// `on_set` is called once, from the thread that sets the code first; it stops what blocks.
  explicit ExitRequest(std::function<void()> on_set = {}) : on_set_(std::move(on_set)) {}

  /// The first call counts; later calls do nothing.
  void set(ExitCode code);
  std::optional<ExitCode> code() const;
  /// Wakes wait(): something changed that the main thread may be waiting for.
  void notify();
  /// Blocks until the exit code is set, notify() or `deadline`; false at the deadline.
  bool wait(Clock& clock, Clock::Mono deadline = Clock::kNever);

 private:
  const std::function<void()> on_set_;
  mutable Mutex mu_;
  CondVar changed_;
  std::optional<ExitCode> code_ KINF_GUARDED_BY(mu_);
  bool notified_ KINF_GUARDED_BY(mu_) = false;
};

}  // namespace kinf
