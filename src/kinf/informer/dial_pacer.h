// SPDX-License-Identifier: Apache-2.0
// DialPacer: limits the rate of requests to the server: a short burst, then one request per
// interval. It works in addition to the backoff after failures.
#pragma once

#include <algorithm>

#include "kinf/base/clock.h"

namespace kinf {

/// A token bucket that returns a time instead of waiting. Threads: one thread at a time.
class DialPacer {
 public:
  /// Allows `burst` requests at once, then one per `interval`.
  DialPacer(int burst, Clock::Duration interval)
      : slack_(interval * (burst - 1)), interval_(interval) {}

  /// Returns the earliest time of the next request, but not before `now`.
  Clock::Mono earliest(Clock::Mono now) const { return std::max(now, free_at_ - slack_); }
  /// Counts a request that is sent at `now`.
  void dialled(Clock::Mono now) { free_at_ = std::max(now, free_at_) + interval_; }
  /// Takes back the count of a request that made progress.
  void refund() { free_at_ -= interval_; }

 private:
  Clock::Duration slack_;
  Clock::Duration interval_;
  Clock::Mono free_at_{};  ///< the time at which the bucket is full again
};

}  // namespace kinf
