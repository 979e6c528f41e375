// SPDX-License-Identifier: Apache-2.0
// DelayingQueue: a WorkQueue that also takes items for later (client-go: DelayingInterface). It has
// no thread and no timer: whoever calls it moves on what has become due, and a worker in get()
// wakes for the next item.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "kinf/workqueue/work_queue.h"

namespace kinf {

/// Threads: as WorkQueue.
class DelayingQueue : public WorkQueue {
 public:
  using WorkQueue::WorkQueue;

  /// Adds the item when `delay` has passed, at once if it is not positive. Of two delays for one
  /// item the earlier end counts; add() does not cancel a delay. Shutting down forgets what waits.
  void add_after(const std::string& item, Clock::Duration delay);
  /// Items waiting for their time.
  std::size_t delayed();

 protected:
  Clock::Mono promote_due_locked() override KINF_REQUIRES(mu_);
  void forget_delayed_locked() override KINF_REQUIRES(mu_);

 private:
  using Waiting = std::multimap<Clock::Mono, std::string>;

  Waiting waiting_ KINF_GUARDED_BY(mu_);
  std::unordered_map<std::string, Waiting::iterator> due_of_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
