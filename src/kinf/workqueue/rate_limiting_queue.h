// SPDX-License-Identifier: Apache-2.0
// TypedRateLimitingQueue: a TypedDelayingQueue with a rate limiter that computes how long a failed
// item waits (client-go: TypedRateLimitingInterface).
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "kinf/workqueue/delaying_queue.h"
#include "kinf/workqueue/rate_limiter.h"

namespace kinf {

/// Threads: as WorkQueue.
template <class Item>
class TypedRateLimitingQueue final : public TypedDelayingQueue<Item> {
 public:
  TypedRateLimitingQueue(Clock& clock, std::unique_ptr<TypedRateLimiter<Item>> limiter)
      : TypedDelayingQueue<Item>(clock), limiter_(std::move(limiter)) {}

  /// Adds the item after the delay that the limiter computes, and returns that delay. The limiter
  /// still counts after shut_down.
  Clock::Duration add_rate_limited(const Item& item) {
    const Clock::Duration delay = limiter_->when(item);
    this->add_after(item, delay);
    return delay;
  }
  /// Forgets the item's failures. Does not remove it from the queue.
  void forget(const Item& item) { limiter_->forget(item); }
  int num_requeues(const Item& item) const { return limiter_->num_requeues(item); }

 private:
  const std::unique_ptr<TypedRateLimiter<Item>> limiter_;
};

using RateLimitingQueue = TypedRateLimitingQueue<std::string>;

}  // namespace kinf
