// SPDX-License-Identifier: Apache-2.0
// TypedRateLimitingQueue: a TypedDelayingQueue whose rate limiter computes the delay before a
// failed item is retried (client-go: TypedRateLimitingInterface).
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "kinf/workqueue/delaying_queue.h"
#include "kinf/workqueue/rate_limiter.h"

namespace kinf {

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
