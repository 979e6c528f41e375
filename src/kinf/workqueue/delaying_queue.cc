// SPDX-License-Identifier: Apache-2.0
#include "kinf/workqueue/delaying_queue.h"

namespace kinf {

void DelayingQueue::add_after(const std::string& item, Clock::Duration delay) {
  const Clock::Mono now = clock_.now();
  MutexLock lock(mu_);
  promote_due_locked();
  if (is_shutting_down_locked()) return;
  count_retry_locked();
  if (delay <= Clock::Duration::zero()) {
    add_locked(item);
    return;
  }
  const Clock::Mono due = delay < Clock::kNever - now ? now + delay : Clock::kNever;
  if (const auto known = due_of_.find(item); known != due_of_.end()) {
    if (known->second->first <= due) return;
    waiting_.erase(known->second);
  }
  const auto entry = waiting_.emplace(due, item);
  due_of_.insert_or_assign(item, entry);
  if (entry == waiting_.begin()) notify_workers();
}

std::size_t DelayingQueue::delayed() {
  MutexLock lock(mu_);
  promote_due_locked();
  return waiting_.size();
}

Clock::Mono DelayingQueue::promote_due_locked() {
  if (waiting_.empty()) return Clock::kNever;
  const Clock::Mono now = clock_.now();
  while (!waiting_.empty() && waiting_.begin()->first <= now) {
    add_locked(waiting_.begin()->second);
    due_of_.erase(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
  }
  return waiting_.empty() ? Clock::kNever : waiting_.begin()->first;
}

void DelayingQueue::forget_delayed_locked() {
  waiting_.clear();
  due_of_.clear();
}

}  // namespace kinf
