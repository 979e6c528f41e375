// SPDX-License-Identifier: Apache-2.0
// DialPacer: limits the rate of requests, whatever the server does: a few at once, then a steady
// trickle. The backoff after failures is added to it.
#pragma once

#include <algorithm>

#include "kinf/base/clock.h"

namespace kinf {

/// A token bucket that returns a time instead of waiting. Threads: one owner.
class DialPacer {
 public:
  /// `burst` requests at once, then one per `interval`.
  DialPacer(int burst, Clock::Duration interval)
      : slack_(interval * (burst - 1)), interval_(interval) {}

  /// The earliest time of the next request; `now` if it need not wait.
  Clock::Mono earliest(Clock::Mono now) const { return std::max(now, free_at_ - slack_); }
  /// Counts a request that is sent now.
  void dialled(Clock::Mono now) { free_at_ = std::max(now, free_at_) + interval_; }

 private:
  Clock::Duration slack_;
  Clock::Duration interval_;
  Clock::Mono free_at_{};  ///< when the bucket will be full again
};

}  // namespace kinf
