// SPDX-License-Identifier: Apache-2.0
#include "kinf/workqueue/rate_limiter.h"

#include <algorithm>
#include <cmath>

namespace kinf {
namespace {

int count_of(const std::unordered_map<std::string, int>& failures, const std::string& item) {
  const auto found = failures.find(item);
  return found == failures.end() ? 0 : found->second;
}

/// `ns` as a duration; as long as there is, if it does not fit.
RateLimiter::Duration duration_of(double ns) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(ns < kLimit)) return RateLimiter::Duration::max();
  return RateLimiter::Duration(static_cast<std::int64_t>(ns));
}

}  // namespace

RateLimiter::Duration ExponentialFailureLimiter::when(const std::string& item) {
  MutexLock lock(mu_);
  const int failures = failures_[item]++;
  return std::min(max_, duration_of(std::ldexp(static_cast<double>(base_.count()), failures)));
}

void ExponentialFailureLimiter::forget(const std::string& item) {
  MutexLock lock(mu_);
  failures_.erase(item);
}

int ExponentialFailureLimiter::num_requeues(const std::string& item) const {
  MutexLock lock(mu_);
  return count_of(failures_, item);
}

RateLimiter::Duration FastSlowLimiter::when(const std::string& item) {
  MutexLock lock(mu_);
  return ++failures_[item] <= max_fast_ ? fast_ : slow_;
}

void FastSlowLimiter::forget(const std::string& item) {
  MutexLock lock(mu_);
  failures_.erase(item);
}

int FastSlowLimiter::num_requeues(const std::string& item) const {
  MutexLock lock(mu_);
  return count_of(failures_, item);
}

BucketLimiter::BucketLimiter(const Clock& clock, double per_second, int burst)
    : clock_(clock),
      per_second_(per_second),
      burst_(static_cast<double>(burst)),
      tokens_(burst_),
      last_(clock.now()) {}

// A token is always taken; a negative balance is the time to wait, so that those who come later
// wait behind.
RateLimiter::Duration BucketLimiter::when(const std::string& /*item*/) {
  const Clock::Mono now = clock_.now();
  MutexLock lock(mu_);
  if (burst_ < 1) return Duration::max();  // no token ever fits in
  const double elapsed = std::chrono::duration<double>(now - last_).count();
  tokens_ = std::min(burst_, tokens_ + std::max(0.0, elapsed) * per_second_);
  last_ = std::max(last_, now);
  tokens_ -= 1;
  if (tokens_ >= 0) return Duration::zero();
  return duration_of(-tokens_ / per_second_ * 1e9);
}

RateLimiter::Duration MaxOfLimiter::when(const std::string& item) {
  Duration longest = Duration::zero();
  for (const auto& limiter : limiters_) longest = std::max(longest, limiter->when(item));
  return longest;
}

void MaxOfLimiter::forget(const std::string& item) {
  for (const auto& limiter : limiters_) limiter->forget(item);
}

int MaxOfLimiter::num_requeues(const std::string& item) const {
  int most = 0;
  for (const auto& limiter : limiters_) most = std::max(most, limiter->num_requeues(item));
  return most;
}

RateLimiter::Duration MaxWaitLimiter::when(const std::string& item) {
  return std::min(max_, limiter_->when(item));
}

std::unique_ptr<RateLimiter> default_item_based_limiter() {
  return std::make_unique<ExponentialFailureLimiter>(std::chrono::milliseconds(1),
                                                     std::chrono::seconds(1000));
}

std::unique_ptr<RateLimiter> default_controller_limiter(const Clock& clock) {
  std::vector<std::unique_ptr<RateLimiter>> both;
  both.push_back(std::make_unique<ExponentialFailureLimiter>(std::chrono::milliseconds(5),
                                                             std::chrono::seconds(1000)));
  both.push_back(std::make_unique<BucketLimiter>(clock, 10.0, 100));
  return std::make_unique<MaxOfLimiter>(std::move(both));
}

}  // namespace kinf
