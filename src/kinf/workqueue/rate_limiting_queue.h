// SPDX-License-Identifier: Apache-2.0
// TypedRateLimitingQueue: a TypedDelayingQueue whose rate limiter computes the delay before a
// failed item is retried (client-go: TypedRateLimitingInterface).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "kinf/workqueue/rate_limiter.h"
#include "kinf/workqueue/work_queue.h"

namespace [[gnu::visibility("default")]] kinf {

// TypedDelayingQueue: a TypedWorkQueue that can also add items after a delay (client-go:
// TypedDelayingInterface). It has no thread and no timer: every call queues the items that are due,
// and a worker in get() wakes up when the next delayed item is due.

/// Threads: like TypedWorkQueue.
template <class Item>
class TypedDelayingQueue : public TypedWorkQueue<Item> {
 public:
  using TypedWorkQueue<Item>::TypedWorkQueue;

  /// Adds the item after `delay`, or at once if `delay` is 0 or negative. If the item is already
  /// delayed, the earlier time applies. add() does not cancel a delay; shut_down() does.
  void add_after(const Item& item, Clock::Duration delay) {
    const Clock::Mono now = clock_.now();
    MutexLock lock(mu_);
    promote_due_locked();
    if (this->is_shutting_down_locked()) return;
    this->count_retry_locked();
    if (delay <= Clock::Duration::zero()) {
      this->add_locked(item);
      return;
    }
    const Clock::Mono due = delay < Clock::kNever - now ? now + delay : Clock::kNever;
    if (const auto known = due_of_.find(item); known != due_of_.end()) {
      if (known->second->first <= due) return;
      waiting_.erase(known->second);
    }
    const auto entry = waiting_.emplace(due, item);
    due_of_.insert_or_assign(item, entry);
    if (entry == waiting_.begin()) this->notify_workers();
  }
  /// Cancels the delayed addition of an item. client-go has no such call.
  void cancel(const Item& item) {
    MutexLock lock(mu_);
    promote_due_locked();
    const auto known = due_of_.find(item);
    if (known == due_of_.end()) return;
    waiting_.erase(known->second);
    due_of_.erase(known);
  }
  /// Returns the number of delayed items.
  std::size_t delayed() {
    MutexLock lock(mu_);
    promote_due_locked();
    return waiting_.size();
  }

 protected:
  using TypedWorkQueue<Item>::clock_;
  using TypedWorkQueue<Item>::mu_;
  Clock::Mono promote_due_locked() override KINF_REQUIRES(mu_) {
    if (waiting_.empty()) return Clock::kNever;
    const Clock::Mono now = clock_.now();
    while (!waiting_.empty() && waiting_.begin()->first <= now) {
      this->add_locked(waiting_.begin()->second);
      due_of_.erase(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
    }
    return waiting_.empty() ? Clock::kNever : waiting_.begin()->first;
  }
  void forget_delayed_locked() override KINF_REQUIRES(mu_) {
    waiting_.clear();
    due_of_.clear();
  }

 private:
  using Waiting = std::multimap<Clock::Mono, Item>;

  Waiting waiting_ KINF_GUARDED_BY(mu_);  ///< delayed items by due time
  /// The entry of each delayed item in waiting_.
  std::unordered_map<Item, typename Waiting::iterator> due_of_ KINF_GUARDED_BY(mu_);
};

using DelayingQueue = TypedDelayingQueue<std::string>;

/// Threads: like TypedWorkQueue.
template <class Item>
class TypedRateLimitingQueue final : public TypedDelayingQueue<Item> {
 public:
  TypedRateLimitingQueue(Clock& clock, std::unique_ptr<TypedRateLimiter<Item>> limiter)
      : TypedDelayingQueue<Item>(clock), limiter_(std::move(limiter)) {}

  /// Adds the item after the delay that the limiter computes, and returns that delay. After
  /// shut_down(), the limiter still counts the failure, but the item is not added.
  Clock::Duration add_rate_limited(const Item& item) {
    const Clock::Duration delay = limiter_->when(item);
    this->add_after(item, delay);
    return delay;
  }
  /// Resets the failure count of the item. Does not remove the item from the queue.
  void forget(const Item& item) { limiter_->forget(item); }
  int num_requeues(const Item& item) const { return limiter_->num_requeues(item); }

 private:
  const std::unique_ptr<TypedRateLimiter<Item>> limiter_;
};

using RateLimitingQueue = TypedRateLimitingQueue<std::string>;

}  // namespace kinf
