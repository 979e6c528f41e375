// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/replay_clock.h"

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

}  // namespace kinf
