// SPDX-License-Identifier: Apache-2.0
// RateLimitingQueue: a DelayingQueue that asks a rate limiter how long a failed item should wait
// (client-go: RateLimitingInterface).
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "kinf/workqueue/delaying_queue.h"
#include "kinf/workqueue/rate_limiter.h"

namespace kinf {

/// Threads: as WorkQueue.
class RateLimitingQueue final : public DelayingQueue {
 public:
  RateLimitingQueue(Clock& clock, std::unique_ptr<RateLimiter> limiter)
      : DelayingQueue(clock), limiter_(std::move(limiter)) {}

  /// Adds the item when the limiter says so, which is after the delay returned. The limiter counts
  /// also after shut_down.
  Clock::Duration add_rate_limited(const std::string& item) {
    const Clock::Duration delay = limiter_->when(item);
    add_after(item, delay);
    return delay;
  }
  /// Forgets the item's failures; it stays queued if it is.
  void forget(const std::string& item) { limiter_->forget(item); }
  int num_requeues(const std::string& item) const { return limiter_->num_requeues(item); }

 private:
  const std::unique_ptr<RateLimiter> limiter_;
};

}  // namespace kinf
