// SPDX-License-Identifier: Apache-2.0
// EnqueueKey: the handler of a controller. It only adds the key of what changed to a queue.
#pragma once

#include "kinf/api/event_handler.h"
#include "kinf/workqueue/work_queue.h"

namespace kinf {

/// `queue` must outlive it.
/// Threads: as the queue.
class EnqueueKey final : public EventHandler {
 public:
  explicit EnqueueKey(WorkQueue& queue) : queue_(queue) {}
  void on_add(const Change& change) override { queue_.add(change.key); }
  void on_update(const Change& change) override { queue_.add(change.key); }
  void on_delete(const Change& change) override { queue_.add(change.key); }

 private:
  WorkQueue& queue_;
};

}  // namespace kinf
