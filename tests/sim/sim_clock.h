// SPDX-License-Identifier: Apache-2.0
// SimClock: virtual time. Moves only in advance_to(). The wall clock may jump.
#pragma once

#include <algorithm>
#include <chrono>

#include "kinf/base/clock.h"

namespace kinf::sim {

class SimClock final : public Clock {
 public:
  Mono now() const override { return now_; }
  Wall wall() const override {
    return Wall(std::chrono::hours(500000)) + now_.time_since_epoch() + jump_;
  }
  void wait_until(CondVar& cv, Mutex& mu, Mono deadline, const std::stop_token& stop)
      KINF_REQUIRES(mu) override {
    (void)cv, (void)mu, (void)deadline, (void)stop;  // the simulation never blocks
  }
  void advance_to(Mono time) { now_ = std::max(now_, time); }
  void jump(Duration by) { jump_ += by; }

 private:
  Mono now_{std::chrono::hours(1)};
  Duration jump_{};
};

}  // namespace kinf::sim
