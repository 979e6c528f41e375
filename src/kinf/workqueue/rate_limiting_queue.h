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

  /// Adds the item when the limiter says so. The limiter counts also after shut_down.
  void add_rate_limited(const std::string& item) { add_after(item, limiter_->when(item)); }
  /// Forgets the item's failures; it stays queued if it is.
  void forget(const std::string& item) { limiter_->forget(item); }
  int num_requeues(const std::string& item) const { return limiter_->num_requeues(item); }

 private:
  const std::unique_ptr<RateLimiter> limiter_;
};

}  // namespace kinf
