// SPDX-License-Identifier: Apache-2.0
// PastClock: the clock of a sandbox that shows a recording. Its wall time stays at a time of the
// recording, or runs from there.
#pragma once

#include "kinf/base/clock.h"

namespace kinf::sandbox {

/// Threads: all functions may be called from any thread.
class PastClock final : public Clock {
 public:
  /// Shows the real time until stand_at() is called. `real` must outlive this clock.
  explicit PastClock(Clock& real) : real_(real) {}

  Mono now() const override { return real_.now(); }
  Wall wall() const override;
  void wait_until(CondVar& cv, Mutex& mu, Mono deadline, const std::stop_token& stop)
      KINF_REQUIRES(mu) override {
    real_.wait_until(cv, mu, deadline, stop);
  }

  void stand_at(Wall time);
  /// Makes the wall time run `speed` times as fast as real time, until it reaches `end`.
  void run(double speed, Wall end);
  /// Returns when the wall time will be `time`. Call after run().
  Mono when(Wall time) const;

 private:
  Clock& real_;
  mutable Mutex mu_;
  bool is_set_ KINF_GUARDED_BY(mu_) = false;
  Wall begin_ KINF_GUARDED_BY(mu_){};
  Wall end_ KINF_GUARDED_BY(mu_){};
  Mono started_ KINF_GUARDED_BY(mu_){};
  double speed_ KINF_GUARDED_BY(mu_) = 0;  ///< 0 means that the wall time does not run
};

}  // namespace kinf::sandbox
