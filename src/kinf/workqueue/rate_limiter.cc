// SPDX-License-Identifier: Apache-2.0
#include "kinf/workqueue/rate_limiter.h"

namespace kinf {

std::chrono::nanoseconds saturated_duration(double nanoseconds) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(nanoseconds < kLimit)) return std::chrono::nanoseconds::max();
  return std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds));
}

TokenBucket::TokenBucket(const Clock& clock, double per_second, int burst)
    : clock_(clock),
      per_second_(per_second),
      burst_(static_cast<double>(burst)),
      tokens_(burst_),
      last_(clock.now()) {}

// Always takes a token. A negative balance means waiting, so each further caller waits longer.
std::chrono::nanoseconds TokenBucket::take() {
  const Clock::Mono now = clock_.now();
  MutexLock lock(mu_);
  // The bucket never holds a complete token.
  if (burst_ < 1) return std::chrono::nanoseconds::max();
  const double elapsed = std::chrono::duration<double>(now - last_).count();
  tokens_ = std::min(burst_, tokens_ + std::max(0.0, elapsed) * per_second_);
  last_ = std::max(last_, now);
  tokens_ -= 1;
  if (tokens_ >= 0) return std::chrono::nanoseconds::zero();
  return saturated_duration(-tokens_ / per_second_ * 1e9);
}

}  // namespace kinf
