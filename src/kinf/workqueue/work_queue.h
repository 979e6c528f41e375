// SPDX-License-Identifier: Apache-2.0
// TypedWorkQueue: a queue of items to process. Only one worker processes an item at a time. An item
// that is added during its processing is queued again afterwards (client-go:
// workqueue.TypedInterface). The queue does not retry failed items. WorkQueue has string items.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <utility>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"

namespace [[gnu::visibility("default")]] kinf {

// WorkQueueMetrics: the metrics of one work queue (client-go: the metrics of package workqueue).
// The caller publishes them.

/// Counts durations in buckets whose bounds are powers of ten, as in client-go.
/// Threads: not synchronised.
struct DurationHistogram {
  static constexpr std::size_t kBounds = 10;
  /// Returns the upper bound of a bucket: 10 ns, 100 ns, … 10 s. A duration counts in the first
  /// bucket whose bound it does not exceed.
  static Clock::Duration bound(std::size_t bucket) {
    Clock::Duration bound(10);
    for (std::size_t i = 0; i < bucket; ++i) bound *= 10;
    return bound;
  }

  void observe(Clock::Duration duration) {
    std::size_t bucket = 0;
    while (bucket < kBounds && duration > bound(bucket)) ++bucket;
    ++buckets[bucket];
    ++count;
    sum += duration;
  }

  /// The number of durations in each bucket, not cumulative. The last bucket has no bound.
  std::array<std::uint64_t, kBounds + 1> buckets{};
  std::uint64_t count = 0;
  Clock::Duration sum{};
};

/// A consistent snapshot of the metrics of one queue.
struct WorkQueueMetrics {
  std::uint64_t adds = 0;     ///< workqueue_adds_total; does not count adds of queued items
  std::uint64_t retries = 0;  ///< workqueue_retries_total: calls of add_after()
  /// workqueue_depth: items that must be processed. Unlike len(), includes items that were added
  /// again while being processed.
  std::size_t depth = 0;
  DurationHistogram queue_duration;  ///< workqueue_queue_duration_seconds: from add to get
  DurationHistogram work_duration;   ///< workqueue_work_duration_seconds: from get to done
  /// workqueue_unfinished_work_seconds: time spent so far on all items being processed.
  Clock::Duration unfinished_work{};
  Clock::Duration longest_running{};  ///< workqueue_longest_running_processor_seconds
};

/// The queue holds each item at most once, so its length is at most the number of distinct items.
/// `Item` is a small value type with == and std::hash, such as an object key.
///
/// Threads: call every function from any thread. There may be any number of workers. Each worker
/// calls get(), processes the item, then calls done() with the same item. `clock` must outlive the
/// queue.
template <class Item>
class TypedWorkQueue {
 public:
  explicit TypedWorkQueue(Clock& clock) : clock_(clock) {}
  TypedWorkQueue(const TypedWorkQueue&) = delete;
  TypedWorkQueue& operator=(const TypedWorkQueue&) = delete;
  virtual ~TypedWorkQueue() = default;

  /// Queues the item unless it is already queued. If the item is being processed, done() queues it.
  /// Does nothing after shut_down().
  void add(const Item& item) {
    MutexLock lock(mu_);
    promote_due_locked();
    add_locked(item);
  }
  /// Waits for an item and marks it as being processed. Returns nullopt if stop is requested, or if
  /// the queue is empty after shut_down().
  std::optional<Item> get(const std::stop_token& stop = {}) {
    MutexLock lock(mu_);
    while (!stop.stop_requested()) {
      const Clock::Mono next_due = promote_due_locked();
      if (!queue_.empty() || shutting_down_) return pop_locked();
      clock_.wait_until(arrived_, mu_, next_due, stop);
    }
    if (!queue_.empty()) arrived_.notify_one();  // this worker stops, so wake another one
    return std::nullopt;
  }
  /// Like get(), but does not wait. Returns nullopt if the queue is empty.
  std::optional<Item> try_get() {
    MutexLock lock(mu_);
    promote_due_locked();
    return pop_locked();
  }
  /// Marks an item as processed. Call it exactly once per get(): as in client-go, a call for an
  /// item that is queued but not being processed queues it a second time.
  void done(const Item& item) {
    MutexLock lock(mu_);
    promote_due_locked();
    if (const auto worked = processing_.find(item); worked != processing_.end()) {
      metrics_.work_duration.observe(clock_.now() - worked->second);
      processing_.erase(worked);
    }
    if (dirty_.contains(item)) push_locked(item);
    if (shutting_down_ && processing_.empty()) {
      is_drained_ = true;
      drained_.notify_all();
    }
  }
  /// Returns the number of queued items. Items being processed do not count.
  std::size_t len() {
    MutexLock lock(mu_);
    promote_due_locked();
    return queue_.size();
  }
  /// Returns a snapshot of the metrics. Also valid after shut_down().
  WorkQueueMetrics metrics() {
    MutexLock lock(mu_);
    promote_due_locked();
    WorkQueueMetrics metrics = metrics_;
    metrics.depth = dirty_.size();
    const Clock::Mono now = clock_.now();
    for (const auto& [item, since] : processing_) {
      metrics.unfinished_work += now - since;
      metrics.longest_running = std::max(metrics.longest_running, now - since);
    }
    return metrics;
  }

  /// Returns whether no item is queued, delayed or being processed.
  bool is_idle() {
    MutexLock lock(mu_);
    return promote_due_locked() == Clock::kNever && queue_.empty() && processing_.empty();
  }

  /// Makes add() do nothing from now on. get() still returns the queued items. Ends a running
  /// shut_down_with_drain().
  void shut_down() {
    MutexLock lock(mu_);
    shut_down_locked();
    is_drained_ = true;
    drained_.notify_all();
  }
  /// Shuts down and waits until no item is being processed. Does not wait for queued items,
  /// including those that done() queued again. Returns false if stop is requested or `deadline` is
  /// reached first, for example because a worker never calls done().
  bool shut_down_with_drain(const std::stop_token& stop = {},
                            Clock::Mono deadline = Clock::kNever) {
    begin_drain();
    MutexLock lock(mu_);
    while (!is_drained_ && !stop.stop_requested() && clock_.now() < deadline) {
      clock_.wait_until(drained_, mu_, deadline, stop);
    }
    return is_drained_;
  }
  /// Starts shut_down_with_drain() without waiting. is_drained() becomes true when no item is being
  /// processed.
  void begin_drain() {
    MutexLock lock(mu_);
    shut_down_locked();
    is_drained_ = processing_.empty();
  }
  bool is_drained() const {
    MutexLock lock(mu_);
    return is_drained_;
  }
  bool is_shutting_down() const {
    MutexLock lock(mu_);
    return shutting_down_;
  }

 protected:
  /// Queues the delayed items that are due. Returns when the next delayed item is due; kNever if
  /// there is none.
  virtual Clock::Mono promote_due_locked() KINF_REQUIRES(mu_) { return Clock::kNever; }
  virtual void forget_delayed_locked() KINF_REQUIRES(mu_) {}
  void add_locked(const Item& item) KINF_REQUIRES(mu_) {
    if (shutting_down_ || !dirty_.emplace(item, clock_.now()).second) return;
    ++metrics_.adds;
    if (!processing_.contains(item)) push_locked(item);
  }
  void count_retry_locked() KINF_REQUIRES(mu_) { ++metrics_.retries; }
  bool is_shutting_down_locked() const KINF_REQUIRES(mu_) { return shutting_down_; }
  /// Wakes the workers. Call it when the next delayed item is due earlier than before.
  void notify_workers() { arrived_.notify_all(); }

  Clock& clock_;
  mutable Mutex mu_;

 private:
  void push_locked(const Item& item) KINF_REQUIRES(mu_) {
    queue_.push_back(item);
    arrived_.notify_one();
  }
  std::optional<Item> pop_locked() KINF_REQUIRES(mu_) {
    if (queue_.empty()) return std::nullopt;
    Item item = std::move(queue_.front());
    queue_.pop_front();
    const Clock::Mono now = clock_.now();
    processing_.insert_or_assign(item, now);
    if (const auto added = dirty_.find(item); added != dirty_.end()) {
      metrics_.queue_duration.observe(now - added->second);
      dirty_.erase(added);
    }
    return item;
  }
  void shut_down_locked() KINF_REQUIRES(mu_) {
    promote_due_locked();
    forget_delayed_locked();
    shutting_down_ = true;
    arrived_.notify_all();
  }

  CondVar arrived_;
  CondVar drained_;
  // dirty_ holds the items that must be processed, with the time at which they were added. queue_
  // holds, in order, the items of dirty_ that are not being processed.
  std::deque<Item> queue_ KINF_GUARDED_BY(mu_);
  std::unordered_map<Item, Clock::Mono> dirty_ KINF_GUARDED_BY(mu_);
  std::unordered_map<Item, Clock::Mono> processing_ KINF_GUARDED_BY(mu_);  ///< with start times
  /// Counters and histograms; metrics() computes the other members.
  WorkQueueMetrics metrics_ KINF_GUARDED_BY(mu_);
  bool shutting_down_ KINF_GUARDED_BY(mu_) = false;
  bool is_drained_ KINF_GUARDED_BY(mu_) = false;
};

using WorkQueue = TypedWorkQueue<std::string>;

}  // namespace kinf
