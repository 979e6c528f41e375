// SPDX-License-Identifier: Apache-2.0
// DialPacer: the bound on requests that holds whatever the server does. A few at once, then a
// steady trickle; backoff after failures comes on top of it.
#pragma once

#include <algorithm>

#include "kinf/base/clock.h"

namespace kinf {

/// A token bucket that says when instead of waiting. Threads: one owner.
class DialPacer {
 public:
  /// `burst` requests at once, then one per `interval`.
  DialPacer(int burst, Clock::Duration interval)
      : slack_(interval * (burst - 1)), interval_(interval) {}

  /// When the next request may go out; not later than `now` if it may at once.
  Clock::Mono earliest(Clock::Mono now) const { return std::max(now, free_at_ - slack_); }
  /// A request goes out.
  void dialled(Clock::Mono now) { free_at_ = std::max(now, free_at_) + interval_; }

 private:
  Clock::Duration slack_;
  Clock::Duration interval_;
  Clock::Mono free_at_{};  ///< when the bucket will be full again
};

}  // namespace kinf
