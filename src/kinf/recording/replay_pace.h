// SPDX-License-Identifier: Apache-2.0
// ReplayPace: the pace in which a recording is played.
#pragma once

#include <optional>
#include <stop_token>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Threads: one owner.
class ReplayPace {
 public:
  /// Plays `speed` times as fast as it was recorded; nullopt: without waiting. `real`, which is not
  /// the recorded time, must outlive this object.
  ReplayPace(Clock& real, std::optional<double> speed) : real_(real), speed_(speed) {}

  /// Blocks until the recorded moment `time` is due, or until `stop`. The first moment is due at
  /// once.
  void wait_for(Clock::Wall time, const std::stop_token& stop);

 private:
  struct Start {
    Clock::Wall recorded{};
    Clock::Mono real{};
  };

  Clock& real_;
  const std::optional<double> speed_;
  std::optional<Start> start_;
  Mutex mu_;  ///< only for waiting
  CondVar never_;
};

}  // namespace kinf
