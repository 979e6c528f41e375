// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/play/replay_clock.h"

#include <algorithm>

namespace kinf {

Clock::Wall ReplayClock::wall() const {
  const Duration::rep time = wall_.load();
  return time == 0 ? real_.wall() : Wall(Duration(time));
}

void ReplayClock::wait_until(CondVar& cv, Mutex& mu, Mono deadline, const std::stop_token& stop) {
  const Mono real = deadline == kNever ? kNever : deadline - Duration(skipped_.load());
  real_.wait_until(cv, mu, real, stop);
}

void ReplayClock::skip_to(Mono time) {
  const Duration missing = time - now();
  if (time != kNever && missing.count() > 0) skipped_ += missing.count();
}

void ReplayPace::wait_for(Clock::Wall time, const std::stop_token& stop) {
  if (!speed_) return;
  if (!start_) start_ = {time, real_.now()};
  const std::chrono::duration<double, Clock::Duration::period> after = time - start_->recorded;
  // A hundred years: longer waits would overflow.
  constexpr std::chrono::duration<double> kCentury = std::chrono::hours(24 * 36500);
  const auto scaled = std::min<std::chrono::duration<double>>(after / *speed_, kCentury);
  const Clock::Mono due = start_->real + std::chrono::duration_cast<Clock::Duration>(scaled);
  MutexLock lock(mu_);
  while (real_.now() < due && !stop.stop_requested()) real_.wait_until(never_, mu_, due, stop);
}

}  // namespace kinf
