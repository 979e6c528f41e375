// SPDX-License-Identifier: Apache-2.0
// TypedWorkQueue: items to work on. Each is handed to one worker at a time, and once more if it was
// added while being worked on (client-go: workqueue.TypedInterface). Carries no results and does
// not retry by itself. WorkQueue has strings as items.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <utility>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/workqueue/work_queue_metrics.h"

namespace kinf {

/// Bounded by the number of distinct items: adding a queued one changes nothing. `Item` is a small
/// value with == and std::hash, such as an object's key.
///
/// Threads: every call from any thread. Any number of workers: each calls get(), works, then calls
/// done() with the same item. `clock` must outlive the queue.
template <class Item>
class TypedWorkQueue {
 public:
  explicit TypedWorkQueue(Clock& clock) : clock_(clock) {}
  TypedWorkQueue(const TypedWorkQueue&) = delete;
  TypedWorkQueue& operator=(const TypedWorkQueue&) = delete;
  virtual ~TypedWorkQueue() = default;

  /// Queues the item unless it is queued; while it is being worked on, done() will queue it.
  /// Ignored after shut_down.
  void add(const Item& item);
  /// Waits for an item and marks it as being worked on. Nothing: on stop at once, after shut_down
  /// when the queue is empty.
  std::optional<Item> get(const std::stop_token& stop = {});
  /// The same without waiting; nothing if nothing is queued.
  std::optional<Item> try_get();
  /// Ends the work on an item. As in client-go, an item that is queued but not being worked on is
  /// then queued a second time: call it once per get().
  void done(const Item& item);
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
  /// comes it waits for ever: false on stop and at `deadline`, true otherwise.
  bool shut_down_with_drain(const std::stop_token& stop = {}, Clock::Mono deadline = Clock::kNever);
  /// The first half of shut_down_with_drain; is_drained() tells when the second is over.
  void begin_drain();
  bool is_drained() const;
  bool is_shutting_down() const;

 protected:
  /// Queues what has become due; returns when the next item will be, kNever if none waits.
  virtual Clock::Mono promote_due_locked() KINF_REQUIRES(mu_) { return Clock::kNever; }
  virtual void forget_delayed_locked() KINF_REQUIRES(mu_) {}
  void add_locked(const Item& item) KINF_REQUIRES(mu_);
  void count_retry_locked() KINF_REQUIRES(mu_) { ++metrics_.retries; }
  bool is_shutting_down_locked() const KINF_REQUIRES(mu_) { return shutting_down_; }
  /// To be called when the next item will be due earlier than was known.
  void notify_workers() { arrived_.notify_all(); }

  Clock& clock_;
  mutable Mutex mu_;

 private:
  void push_locked(const Item& item) KINF_REQUIRES(mu_);
  std::optional<Item> pop_locked() KINF_REQUIRES(mu_);
  void shut_down_locked() KINF_REQUIRES(mu_);

  CondVar arrived_;
  CondVar drained_;
  // dirty_: to be worked on, since when. queue_ holds those of them that nobody works on, in order.
  std::deque<Item> queue_ KINF_GUARDED_BY(mu_);
  std::unordered_map<Item, Clock::Mono> dirty_ KINF_GUARDED_BY(mu_);
  std::unordered_map<Item, Clock::Mono> processing_ KINF_GUARDED_BY(mu_);  ///< since when
  /// The counting part; the rest is worked out when asked for.
  WorkQueueMetrics metrics_ KINF_GUARDED_BY(mu_);
  bool shutting_down_ KINF_GUARDED_BY(mu_) = false;
  bool is_drained_ KINF_GUARDED_BY(mu_) = false;
};

using WorkQueue = TypedWorkQueue<std::string>;

template <class Item>
void TypedWorkQueue<Item>::add(const Item& item) {
  MutexLock lock(mu_);
  promote_due_locked();
  add_locked(item);
}

template <class Item>
std::optional<Item> TypedWorkQueue<Item>::get(const std::stop_token& stop) {
  MutexLock lock(mu_);
  while (!stop.stop_requested()) {
    const Clock::Mono next_due = promote_due_locked();
    if (!queue_.empty() || shutting_down_) return pop_locked();
    clock_.wait_until(arrived_, mu_, next_due, stop);
  }
  if (!queue_.empty()) arrived_.notify_one();  // this wake-up was meant for another
  return std::nullopt;
}

template <class Item>
std::optional<Item> TypedWorkQueue<Item>::try_get() {
  MutexLock lock(mu_);
  promote_due_locked();
  return pop_locked();
}

template <class Item>
void TypedWorkQueue<Item>::done(const Item& item) {
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

template <class Item>
std::size_t TypedWorkQueue<Item>::len() {
  MutexLock lock(mu_);
  promote_due_locked();
  return queue_.size();
}

template <class Item>
WorkQueueMetrics TypedWorkQueue<Item>::metrics() {
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

template <class Item>
bool TypedWorkQueue<Item>::is_idle() {
  MutexLock lock(mu_);
  promote_due_locked();
  return queue_.empty() && processing_.empty();
}

template <class Item>
void TypedWorkQueue<Item>::shut_down() {
  MutexLock lock(mu_);
  shut_down_locked();
  is_drained_ = true;
  drained_.notify_all();
}

template <class Item>
bool TypedWorkQueue<Item>::shut_down_with_drain(const std::stop_token& stop, Clock::Mono deadline) {
  begin_drain();
  MutexLock lock(mu_);
  while (!is_drained_ && !stop.stop_requested() && clock_.now() < deadline) {
    clock_.wait_until(drained_, mu_, deadline, stop);
  }
  return is_drained_;
}

template <class Item>
void TypedWorkQueue<Item>::begin_drain() {
  MutexLock lock(mu_);
  shut_down_locked();
  is_drained_ = processing_.empty();
}

template <class Item>
bool TypedWorkQueue<Item>::is_drained() const {
  MutexLock lock(mu_);
  return is_drained_;
}

template <class Item>
bool TypedWorkQueue<Item>::is_shutting_down() const {
  MutexLock lock(mu_);
  return shutting_down_;
}

template <class Item>
void TypedWorkQueue<Item>::add_locked(const Item& item) {
  if (shutting_down_ || !dirty_.emplace(item, clock_.now()).second) return;
  ++metrics_.adds;
  if (!processing_.contains(item)) push_locked(item);
}

template <class Item>
void TypedWorkQueue<Item>::push_locked(const Item& item) {
  queue_.push_back(item);
  arrived_.notify_one();
}

template <class Item>
std::optional<Item> TypedWorkQueue<Item>::pop_locked() {
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

template <class Item>
void TypedWorkQueue<Item>::shut_down_locked() {
  promote_due_locked();
  forget_delayed_locked();
  shutting_down_ = true;
  arrived_.notify_all();
}

}  // namespace kinf
