// SPDX-License-Identifier: Apache-2.0
// ReplayClock: the clock of a command that reads a recording. Its wall time is the recorded time.
#pragma once

#include <atomic>

#include "kinf/base/clock.h"

namespace kinf {

/// Threads: every call from any thread.
class ReplayClock final : public Clock {
 public:
  /// Shows the real time until set_wall() is called. `real` must outlive it.
  explicit ReplayClock(Clock& real) : real_(real) {}

  Mono now() const override { return real_.now() + Duration(skipped_.load()); }
  Wall wall() const override;
  void wait_until(CondVar& cv, Mutex& mu, Mono deadline, const std::stop_token& stop)
      KINF_REQUIRES(mu) override;

  /// Returns the clock outside the recording.
  Clock& real() const { return real_; }
  /// Returns the time outside the recording.
  Wall real_wall() const { return real_.wall(); }
  void set_wall(Wall time) { wall_.store(time.time_since_epoch().count()); }
  /// Moves now() forward to `time`, instead of waiting for it.
  void skip_to(Mono time);

 private:
  Clock& real_;
  std::atomic<Duration::rep> skipped_{0};
  std::atomic<Duration::rep> wall_{0};  ///< 0: the real time
};

}  // namespace kinf
