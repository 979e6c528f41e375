// SPDX-License-Identifier: Apache-2.0
// Rate limiters: how long an item should wait before it is tried again (client-go:
// workqueue.RateLimiter). They only count and say; waiting is the queue's business.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Threads: every call from any thread.
class RateLimiter {
 public:
  using Duration = std::chrono::nanoseconds;

  virtual ~RateLimiter() = default;
  /// Counts one more failure of the item; the delay before it should be tried again.
  virtual Duration when(const std::string& item) = 0;
  /// The item succeeded or was given up: its failures count no more. Without this call they are
  /// remembered for ever.
  virtual void forget(const std::string& item) = 0;
  /// Failures counted.
  virtual int num_requeues(const std::string& item) const = 0;
};

/// base, 2·base, 4·base, … up to `max`.
class ExponentialFailureLimiter final : public RateLimiter {
 public:
  ExponentialFailureLimiter(Duration base, Duration max) : base_(base), max_(max) {}
  Duration when(const std::string& item) override;
  void forget(const std::string& item) override;
  int num_requeues(const std::string& item) const override;

 private:
  const Duration base_;
  const Duration max_;
  mutable Mutex mu_;
  std::unordered_map<std::string, int> failures_ KINF_GUARDED_BY(mu_);
};

/// `fast` for the first `max_fast` failures, then `slow`.
class FastSlowLimiter final : public RateLimiter {
 public:
  FastSlowLimiter(Duration fast, Duration slow, int max_fast)
      : fast_(fast), slow_(slow), max_fast_(max_fast) {}
  Duration when(const std::string& item) override;
  void forget(const std::string& item) override;
  int num_requeues(const std::string& item) const override;

 private:
  const Duration fast_;
  const Duration slow_;
  const int max_fast_;
  mutable Mutex mu_;
  std::unordered_map<std::string, int> failures_ KINF_GUARDED_BY(mu_);
};

/// One bucket of tokens for all items: `burst` at once, then `per_second`. Counts no failures.
class BucketLimiter final : public RateLimiter {
 public:
  /// `clock` must outlive the limiter.
  BucketLimiter(const Clock& clock, double per_second, int burst);
  Duration when(const std::string& item) override;
  void forget(const std::string& item) override { (void)item; }
  int num_requeues(const std::string& item) const override {
    (void)item;
    return 0;
  }

 private:
  const Clock& clock_;
  const double per_second_;
  const double burst_;
  mutable Mutex mu_;
  double tokens_ KINF_GUARDED_BY(mu_);
  Clock::Mono last_ KINF_GUARDED_BY(mu_);
};

/// The longest delay of several limiters.
class MaxOfLimiter final : public RateLimiter {
 public:
  explicit MaxOfLimiter(std::vector<std::unique_ptr<RateLimiter>> limiters)
      : limiters_(std::move(limiters)) {}
  Duration when(const std::string& item) override;
  void forget(const std::string& item) override;
  int num_requeues(const std::string& item) const override;

 private:
  const std::vector<std::unique_ptr<RateLimiter>> limiters_;
};

/// Another limiter's delay, but never more than `max`.
class MaxWaitLimiter final : public RateLimiter {
 public:
  MaxWaitLimiter(std::unique_ptr<RateLimiter> limiter, Duration max)
      : limiter_(std::move(limiter)), max_(max) {}
  Duration when(const std::string& item) override;
  void forget(const std::string& item) override { limiter_->forget(item); }
  int num_requeues(const std::string& item) const override { return limiter_->num_requeues(item); }

 private:
  const std::unique_ptr<RateLimiter> limiter_;
  const Duration max_;
};

/// Exponential from 1 ms to 1000 s.
std::unique_ptr<RateLimiter> default_item_based_limiter();
/// The longer of: exponential from 5 ms to 1000 s, and a bucket of 10 a second, 100 at once.
std::unique_ptr<RateLimiter> default_controller_limiter(const Clock& clock);

}  // namespace kinf
