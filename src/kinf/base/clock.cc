// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/clock.h"

namespace kinf {

Clock::Mono RealClock::now() const { return std::chrono::steady_clock::now(); }

Clock::Wall RealClock::wall() const { return std::chrono::system_clock::now(); }

void RealClock::wait_until(CondVar& cv, Mutex& mu, Mono deadline, const std::stop_token& stop) {
  if (deadline == kNever) {
    cv.wait(mu, stop);
  } else {
    cv.wait_until(mu, deadline, stop);
  }
}

bool sleep_until(Clock& clock, Clock::Mono deadline, const std::stop_token& stop) {
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
