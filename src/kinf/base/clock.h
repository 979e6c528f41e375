// SPDX-License-Identifier: Apache-2.0
// Clock: the only source of time. Code that waits, measures or writes times takes a Clock&; tests
// pass a Clock whose time they set.
#pragma once

#include <chrono>
#include <stop_token>

#include "kinf/base/sync.h"

namespace [[gnu::visibility("default")]] kinf {

/// Threads: every call from any thread.
class Clock {
 public:
  using Duration = std::chrono::nanoseconds;
  using Mono = std::chrono::time_point<std::chrono::steady_clock, Duration>;
  using Wall = std::chrono::time_point<std::chrono::system_clock, Duration>;
  static constexpr Mono kNever = Mono::max();

  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  /// Returns the monotonic time, for intervals and deadlines.
  virtual Mono now() const = 0;
  /// Returns the wall-clock time, for times that users read.
  virtual Wall wall() const = 0;
  /// Blocks on `cv` until notified, stop is requested or now() reaches `deadline` (kNever: no
  /// deadline). May wake early: the caller re-checks.
  virtual void wait_until(CondVar& cv, Mutex& mu, Mono deadline, const std::stop_token& stop)
      KINF_REQUIRES(mu) = 0;
};

class RealClock final : public Clock {
 public:
  Mono now() const override { return std::chrono::steady_clock::now(); }
  Wall wall() const override { return std::chrono::system_clock::now(); }
  void wait_until(CondVar& cv, Mutex& mu, Mono deadline, const std::stop_token& stop)
      KINF_REQUIRES(mu) override {
    if (deadline == kNever) {
      cv.wait(mu, stop);
    } else {
      cv.wait_until(mu, deadline, stop);
    }
  }
};

/// Returns `clock`. If it is a RealClock, returns one that exists until the process ends instead:
/// all RealClocks are alike, so that a caller may destroy its own early.
inline Clock& lasting_clock(Clock& clock) {
  if (dynamic_cast<RealClock*>(&clock) == nullptr) return clock;
  static RealClock& lasting = *new RealClock;  // never destroyed: threads may use it until the end
  return lasting;
}

/// Blocks until `deadline` is reached or stop is requested. Returns whether the deadline was
/// reached.
inline bool sleep_until(Clock& clock, Clock::Mono deadline, const std::stop_token& stop) {
  Mutex mu;
  CondVar never_notified;
  MutexLock lock(mu);
  while (!stop.stop_requested()) {
    if (clock.now() >= deadline) return true;
    clock.wait_until(never_notified, mu, deadline, stop);
  }
  return false;
}

}  // namespace kinf
