// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/replay_pace.h"

#include <algorithm>

namespace kinf {

void ReplayPace::wait_for(Clock::Wall time, const std::stop_token& stop) {
  if (!speed_) return;
  if (!start_) start_ = {time, real_.now()};
  const std::chrono::duration<double, Clock::Duration::period> after = time - start_->recorded;
  // A hundred years: longer waits would overflow.
  constexpr std::chrono::duration<double> kLongest = std::chrono::hours(24 * 36500);
  const auto scaled = std::min<std::chrono::duration<double>>(after / *speed_, kLongest);
  const Clock::Mono due = start_->real + std::chrono::duration_cast<Clock::Duration>(scaled);
  MutexLock lock(mu_);
  while (real_.now() < due && !stop.stop_requested()) real_.wait_until(never_, mu_, due, stop);
}

}  // namespace kinf
