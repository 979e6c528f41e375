// SPDX-License-Identifier: Apache-2.0
// Ending: how a command comes to its end. Whoever knows first says so; the main thread waits.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/cli/exit_code.h"

namespace kinf {

/// Threads: every call from any thread.
class Ending {
 public:
  /// `on_end` is called once, by whoever says the end first; to stop what blocks elsewhere.
  explicit Ending(std::function<void()> on_end = {}) : on_end_(std::move(on_end)) {}

  /// The first call counts; later ones do nothing.
  void end(ExitCode code);
  std::optional<ExitCode> code() const;
  /// Something changed that the main thread may be waiting for.
  void nudge();
  /// Blocks until the end, a nudge or `deadline`; false at the deadline.
  bool wait(Clock& clock, Clock::Mono deadline);

 private:
  const std::function<void()> on_end_;
  mutable Mutex mu_;
  CondVar changed_;
  std::optional<ExitCode> code_ KINF_GUARDED_BY(mu_);
  bool nudged_ KINF_GUARDED_BY(mu_) = false;
};

}  // namespace kinf
