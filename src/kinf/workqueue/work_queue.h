// SPDX-License-Identifier: Apache-2.0
// WorkQueue: names of things to be worked on, each handed to one worker at a time, and once more if
// it was added while being worked on (client-go: workqueue.Interface). Carries no results and does
// not retry by itself.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/workqueue/work_queue_metrics.h"

namespace kinf {

/// Bounded by the number of distinct items: adding a queued one changes nothing.
///
/// Threads: every call from any thread. Any number of workers: each calls get(), works, then calls
/// done() with the same item. `clock` must outlive the queue.
class WorkQueue {
 public:
  explicit WorkQueue(Clock& clock) : clock_(clock) {}
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  virtual ~WorkQueue() = default;

  /// Queues the item unless it is queued; while it is being worked on, done() will queue it.
  /// Ignored after shut_down.
  void add(const std::string& item);
  /// Waits for an item and marks it as being worked on. Nothing: on stop at once, after shut_down
  /// when the queue is empty.
  std::optional<std::string> get(const std::stop_token& stop = {});
  /// The same without waiting; nothing if nothing is queued.
  std::optional<std::string> try_get();
  /// Ends the work on an item. As in client-go, an item that is queued but not being worked on is
  /// then queued a second time: call it once per get().
  void done(const std::string& item);
  /// Items queued; those being worked on do not count.
  std::size_t len();
  /// What has happened so far, also after shut_down.
  WorkQueueMetrics metrics();

  /// Nothing is queued and nothing is being worked on; what waits for its time does not count.
  bool is_idle();

  /// What is queued is still handed out, nothing is taken any more. Ends a drain.
  void shut_down();
  /// Shuts down and waits until no item is being worked on; what is queued does not keep it
  /// waiting, nor does an item that its done() has queued again. Without a done() that never
  /// comes it waits for ever: false on stop, true otherwise.
  bool shut_down_with_drain(const std::stop_token& stop = {});
  /// The first half of shut_down_with_drain; is_drained() tells when the second is over.
  void begin_drain();
  bool is_drained() const;
  bool is_shutting_down() const;

 protected:
  /// Queues what has become due; returns when the next item will be, kNever if none waits.
  virtual Clock::Mono promote_due_locked() KINF_REQUIRES(mu_) { return Clock::kNever; }
  virtual void forget_delayed_locked() KINF_REQUIRES(mu_) {}
  void add_locked(const std::string& item) KINF_REQUIRES(mu_);
  void count_retry_locked() KINF_REQUIRES(mu_) { ++metrics_.retries; }
  bool is_shutting_down_locked() const KINF_REQUIRES(mu_) { return shutting_down_; }
  /// To be called when the next item will be due earlier than was known.
  void notify_workers() { arrived_.notify_all(); }

  Clock& clock_;
  mutable Mutex mu_;

 private:
  void push_locked(const std::string& item) KINF_REQUIRES(mu_);
  std::optional<std::string> pop_locked() KINF_REQUIRES(mu_);
  void shut_down_locked() KINF_REQUIRES(mu_);

  CondVar arrived_;
  CondVar drained_;
  // dirty_: to be worked on, since when. queue_ holds those of them that nobody works on, in order.
  std::deque<std::string> queue_ KINF_GUARDED_BY(mu_);
  std::unordered_map<std::string, Clock::Mono> dirty_ KINF_GUARDED_BY(mu_);
  std::unordered_map<std::string, Clock::Mono> processing_ KINF_GUARDED_BY(mu_);  ///< since when
  /// The counting part; the rest is worked out when asked for.
  WorkQueueMetrics metrics_ KINF_GUARDED_BY(mu_);
  bool shutting_down_ KINF_GUARDED_BY(mu_) = false;
  bool is_drained_ KINF_GUARDED_BY(mu_) = false;
};

}  // namespace kinf
