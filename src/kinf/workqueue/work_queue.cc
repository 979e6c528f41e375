// SPDX-License-Identifier: Apache-2.0
#include "kinf/workqueue/work_queue.h"

#include <algorithm>
#include <utility>

namespace kinf {

void WorkQueue::add(const std::string& item) {
  MutexLock lock(mu_);
  promote_due_locked();
  add_locked(item);
}

std::optional<std::string> WorkQueue::get(const std::stop_token& stop) {
  MutexLock lock(mu_);
  while (!stop.stop_requested()) {
    const Clock::Mono next_due = promote_due_locked();
    if (!queue_.empty() || shutting_down_) return pop_locked();
    clock_.wait_until(arrived_, mu_, next_due, stop);
  }
  if (!queue_.empty()) arrived_.notify_one();  // this wake-up was meant for another
  return std::nullopt;
}

std::optional<std::string> WorkQueue::try_get() {
  MutexLock lock(mu_);
  promote_due_locked();
  return pop_locked();
}

void WorkQueue::done(const std::string& item) {
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

std::size_t WorkQueue::len() {
  MutexLock lock(mu_);
  promote_due_locked();
  return queue_.size();
}

WorkQueueMetrics WorkQueue::metrics() {
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

bool WorkQueue::is_idle() {
  MutexLock lock(mu_);
  promote_due_locked();
  return queue_.empty() && processing_.empty();
}

void WorkQueue::shut_down() {
  MutexLock lock(mu_);
  shut_down_locked();
  is_drained_ = true;
  drained_.notify_all();
}

bool WorkQueue::shut_down_with_drain(const std::stop_token& stop) {
  begin_drain();
  MutexLock lock(mu_);
  while (!is_drained_) {
    if (stop.stop_requested()) return false;
    drained_.wait(mu_, stop);
  }
  return true;
}

void WorkQueue::begin_drain() {
  MutexLock lock(mu_);
  shut_down_locked();
  is_drained_ = processing_.empty();
}

bool WorkQueue::is_drained() const {
  MutexLock lock(mu_);
  return is_drained_;
}

bool WorkQueue::is_shutting_down() const {
  MutexLock lock(mu_);
  return shutting_down_;
}

void WorkQueue::add_locked(const std::string& item) {
  if (shutting_down_ || !dirty_.emplace(item, clock_.now()).second) return;
  ++metrics_.adds;
  if (!processing_.contains(item)) push_locked(item);
}

void WorkQueue::push_locked(const std::string& item) {
  queue_.push_back(item);
  arrived_.notify_one();
}

std::optional<std::string> WorkQueue::pop_locked() {
  if (queue_.empty()) return std::nullopt;
  std::string item = std::move(queue_.front());
  queue_.pop_front();
  const Clock::Mono now = clock_.now();
  processing_.insert_or_assign(item, now);
  if (const auto added = dirty_.find(item); added != dirty_.end()) {
    metrics_.queue_duration.observe(now - added->second);
    dirty_.erase(added);
  }
  return item;
}

void WorkQueue::shut_down_locked() {
  promote_due_locked();
  forget_delayed_locked();
  shutting_down_ = true;
  arrived_.notify_all();
}

}  // namespace kinf
