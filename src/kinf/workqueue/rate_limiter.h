// SPDX-License-Identifier: Apache-2.0
// Rate limiters: compute how long an item must wait before a retry (client-go:
// workqueue.TypedRateLimiter). They do not wait; the queue does. The names without `Typed` are for
// string items.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"

namespace [[gnu::visibility("default")]] kinf {

/// Threads: every call from any thread.
template <class Item>
class TypedRateLimiter {
 public:
  using Duration = std::chrono::nanoseconds;

  virtual ~TypedRateLimiter() = default;
  /// Counts a failure of the item and returns the delay before the next attempt.
  virtual Duration when(const Item& item) = 0;
  /// Resets the failure count of an item. Call it when the item succeeded or gets no more retries;
  /// otherwise its count stays in memory.
  virtual void forget(const Item& item) = 0;
  /// Returns the number of failures of the item.
  virtual int num_requeues(const Item& item) const = 0;
};
using RateLimiter = TypedRateLimiter<std::string>;

/// Converts `nanoseconds` to a duration. Returns the maximum if the value does not fit or is NaN.
inline std::chrono::nanoseconds saturated_duration(double nanoseconds) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(nanoseconds < kLimit)) return std::chrono::nanoseconds::max();
  return std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds));
}

/// Counts the failures of each item.
template <class Item>
class TypedFailureCounts {
 public:
  /// Adds one failure and returns the new count.
  int add(const Item& item) {
    MutexLock lock(mu_);
    return ++failures_[item];
  }
  void forget(const Item& item) {
    MutexLock lock(mu_);
    failures_.erase(item);
  }
  int count(const Item& item) const {
    MutexLock lock(mu_);
    const auto found = failures_.find(item);
    return found == failures_.end() ? 0 : found->second;
  }

 private:
  mutable Mutex mu_;
  std::unordered_map<Item, int> failures_ KINF_GUARDED_BY(mu_);
};

/// Returns delays of `base`, 2·`base`, 4·`base`, … up to `max`.
template <class Item>
class TypedExponentialFailureLimiter final : public TypedRateLimiter<Item> {
 public:
  using typename TypedRateLimiter<Item>::Duration;

  TypedExponentialFailureLimiter(Duration base, Duration max) : base_(base), max_(max) {}
  Duration when(const Item& item) override {
    const double base = static_cast<double>(base_.count());
    return std::min(max_, saturated_duration(std::ldexp(base, failures_.add(item) - 1)));
  }
  void forget(const Item& item) override { failures_.forget(item); }
  int num_requeues(const Item& item) const override { return failures_.count(item); }

 private:
  const Duration base_;
  const Duration max_;
  TypedFailureCounts<Item> failures_;
};
using ExponentialFailureLimiter = TypedExponentialFailureLimiter<std::string>;

/// Returns `fast` for the first `max_fast` failures of an item, then `slow`.
template <class Item>
class TypedFastSlowLimiter final : public TypedRateLimiter<Item> {
 public:
  using typename TypedRateLimiter<Item>::Duration;

  TypedFastSlowLimiter(Duration fast, Duration slow, int max_fast)
      : fast_(fast), slow_(slow), max_fast_(max_fast) {}
  Duration when(const Item& item) override {
    return failures_.add(item) <= max_fast_ ? fast_ : slow_;
  }
  void forget(const Item& item) override { failures_.forget(item); }
  int num_requeues(const Item& item) const override { return failures_.count(item); }

 private:
  const Duration fast_;
  const Duration slow_;
  const int max_fast_;
  TypedFailureCounts<Item> failures_;
};
using FastSlowLimiter = TypedFastSlowLimiter<std::string>;

/// A token bucket: allows `burst` tokens at once, then `per_second` tokens per second.
/// Threads: every call from any thread.
class TokenBucket {
 public:
  /// `clock` must outlive the bucket.
  TokenBucket(const Clock& clock, double per_second, int burst)
      : clock_(clock),
        per_second_(per_second),
        burst_(static_cast<double>(burst)),
        tokens_(burst_),
        last_(clock.now()) {}
  /// Takes a token and returns how long the caller must wait before using it.
  std::chrono::nanoseconds take() {
    const Clock::Mono now = clock_.now();
    MutexLock lock(mu_);
    // A bucket with a burst below 1 never holds a whole token.
    if (burst_ < 1) return std::chrono::nanoseconds::max();
    const double elapsed = std::chrono::duration<double>(now - last_).count();
    tokens_ = std::min(burst_, tokens_ + std::max(0.0, elapsed) * per_second_);
    last_ = std::max(last_, now);
    tokens_ -= 1;
    if (tokens_ >= 0) return std::chrono::nanoseconds::zero();
    return saturated_duration(-tokens_ / per_second_ * 1e9);
  }

 private:
  const Clock& clock_;
  const double per_second_;
  const double burst_;
  Mutex mu_;
  double tokens_ KINF_GUARDED_BY(mu_);
  Clock::Mono last_ KINF_GUARDED_BY(mu_);
};

/// Shares one TokenBucket between all items. Does not count failures.
template <class Item>
class TypedBucketLimiter final : public TypedRateLimiter<Item> {
 public:
  using typename TypedRateLimiter<Item>::Duration;

  TypedBucketLimiter(const Clock& clock, double per_second, int burst)
      : bucket_(clock, per_second, burst) {}
  Duration when(const Item& /*item*/) override { return bucket_.take(); }
  void forget(const Item& /*item*/) override {}
  int num_requeues(const Item& /*item*/) const override { return 0; }

 private:
  TokenBucket bucket_;
};
using BucketLimiter = TypedBucketLimiter<std::string>;

/// Returns the longest of the delays of several limiters.
template <class Item>
class TypedMaxOfLimiter final : public TypedRateLimiter<Item> {
 public:
  using typename TypedRateLimiter<Item>::Duration;

  explicit TypedMaxOfLimiter(std::vector<std::unique_ptr<TypedRateLimiter<Item>>> limiters)
      : limiters_(std::move(limiters)) {}
  Duration when(const Item& item) override {
    Duration longest = Duration::zero();
    for (const auto& limiter : limiters_) longest = std::max(longest, limiter->when(item));
    return longest;
  }
  void forget(const Item& item) override {
    for (const auto& limiter : limiters_) limiter->forget(item);
  }
  int num_requeues(const Item& item) const override {
    int most = 0;
    for (const auto& limiter : limiters_) most = std::max(most, limiter->num_requeues(item));
    return most;
  }

 private:
  const std::vector<std::unique_ptr<TypedRateLimiter<Item>>> limiters_;
};
using MaxOfLimiter = TypedMaxOfLimiter<std::string>;

/// Returns the delay of another limiter, but at most `max`.
template <class Item>
class TypedMaxWaitLimiter final : public TypedRateLimiter<Item> {
 public:
  using typename TypedRateLimiter<Item>::Duration;

  TypedMaxWaitLimiter(std::unique_ptr<TypedRateLimiter<Item>> limiter, Duration max)
      : limiter_(std::move(limiter)), max_(max) {}
  Duration when(const Item& item) override { return std::min(max_, limiter_->when(item)); }
  void forget(const Item& item) override { limiter_->forget(item); }
  int num_requeues(const Item& item) const override { return limiter_->num_requeues(item); }

 private:
  const std::unique_ptr<TypedRateLimiter<Item>> limiter_;
  const Duration max_;
};
using MaxWaitLimiter = TypedMaxWaitLimiter<std::string>;

/// Creates an exponential limiter with delays from 1 ms to 1000 s.
template <class Item = std::string>
std::unique_ptr<TypedRateLimiter<Item>> default_item_based_limiter() {
  return std::make_unique<TypedExponentialFailureLimiter<Item>>(std::chrono::milliseconds(1),
                                                                std::chrono::seconds(1000));
}

/// Creates a limiter that returns the longer of two delays: exponential from 5 ms to 1000 s, and a
/// token bucket with a burst of 100 and 10 tokens per second.
template <class Item = std::string>
std::unique_ptr<TypedRateLimiter<Item>> default_controller_limiter(const Clock& clock) {
  std::vector<std::unique_ptr<TypedRateLimiter<Item>>> both;
  both.push_back(std::make_unique<TypedExponentialFailureLimiter<Item>>(
      std::chrono::milliseconds(5), std::chrono::seconds(1000)));
  both.push_back(std::make_unique<TypedBucketLimiter<Item>>(clock, 10.0, 100));
  return std::make_unique<TypedMaxOfLimiter<Item>>(std::move(both));
}

}  // namespace kinf
