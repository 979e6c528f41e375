// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/past/past_clock.h"

#include <algorithm>

namespace kinf::sandbox {
namespace {

/// Returns at most a century. Longer times, of a damaged recording or at a low speed, would
/// overflow.
Clock::Duration scaled(Clock::Duration duration, double factor) {
  using Precise = std::chrono::duration<double, std::nano>;
  constexpr Precise kCentury = std::chrono::hours(24 * 36500);
  return std::chrono::duration_cast<Clock::Duration>(
      std::min(Precise(duration) * factor, kCentury));
}

}  // namespace

Clock::Wall PastClock::wall() const {
  MutexLock lock(mu_);
  if (!is_set_) return real_.wall();
  if (speed_ == 0) return begin_;
  // Compares durations in real time, because the recorded duration could overflow at a high speed.
  const Duration passed = real_.now() - started_;
  if (passed >= scaled(end_ - begin_, 1 / speed_)) return end_;
  return begin_ + scaled(passed, speed_);
}

void PastClock::stand_at(Wall time) {
  MutexLock lock(mu_);
  is_set_ = true;
  speed_ = 0;
  begin_ = time;
}

void PastClock::run(double speed, Wall end) {
  MutexLock lock(mu_);
  end_ = std::max(end, begin_);
  started_ = real_.now();
  speed_ = speed;
}

Clock::Mono PastClock::when(Wall time) const {
  MutexLock lock(mu_);
  return started_ + scaled(std::max(time - begin_, Duration::zero()), 1 / speed_);
}

}  // namespace kinf::sandbox
