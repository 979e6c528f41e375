// SPDX-License-Identifier: Apache-2.0
// DemoClock: a clock that moves only in advance(), so that `kinf demo --live` can show a moment for
// as long as the user wants.
#pragma once

#include <algorithm>

#include "kinf/base/clock.h"

namespace kinf {

/// Threads: one.
class DemoClock final : public Clock {
 public:
  Mono now() const override { return Mono{} + passed_; }
  Wall wall() const override { return Wall{} + passed_; }
  /// Nothing else runs, so waiting is moving the clock.
  void wait_until(CondVar& cv, Mutex& mu, Mono deadline, const std::stop_token& stop)
      KINF_REQUIRES(mu) override {
    (void)cv, (void)mu, (void)stop;
    if (deadline != kNever) passed_ = std::max(passed_, deadline - Mono{});
  }
  void advance(Duration by) { passed_ += by; }
  /// Returns the time since the start.
  Duration passed() const { return passed_; }

 private:
  Duration passed_{};
};

}  // namespace kinf
