// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/waiting_queue.h"

#include <algorithm>
#include <optional>

namespace kinf {

bool WaitingQueue::has_room() const {
  MutexLock lock(mu_);
  return has_room_locked();
}

Result<> WaitingQueue::pop(const PopHandler& handler, const std::stop_token& stop) {
  const Result<bool> popped = pop_unit(Unit::single, handler, &stop);
  if (!popped) return std::unexpected(popped.error());
  return {};
}

Result<bool> WaitingQueue::try_pop(const PopHandler& handler) {
  return pop_unit(Unit::single, handler, nullptr);
}

Result<> WaitingQueue::pop_batch(const PopHandler& handler, const std::stop_token& stop) {
  const Result<bool> popped = pop_unit(Unit::batch, handler, &stop);
  if (!popped) return std::unexpected(popped.error());
  return {};
}

Result<bool> WaitingQueue::try_pop_batch(const PopHandler& handler) {
  return pop_unit(Unit::batch, handler, nullptr);
}

void WaitingQueue::close() {
  MutexLock lock(mu_);
  closed_ = true;
  arrived_.notify_all();
  settled_.notify_all();
}

bool WaitingQueue::is_closed() const {
  MutexLock lock(mu_);
  return closed_;
}

bool WaitingQueue::has_synced() const {
  MutexLock lock(mu_);
  return synced_locked();
}

std::size_t WaitingQueue::depth() const {
  MutexLock lock(mu_);
  return depth_locked();
}

Result<> WaitingQueue::wait_for_room_locked(const std::stop_token& stop) {
  while (!has_room_locked()) {
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    wait_locked(stop);
  }
  return {};
}

Result<> WaitingQueue::wait_until_applied_locked(const std::stop_token& stop) {
  while (in_process_ > 0) {
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    wait_locked(stop);
  }
  return {};
}

void WaitingQueue::wait_locked(const std::stop_token& stop) {
  ++waiting_producers_;
  settled_.wait(mu_, stop);
  --waiting_producers_;
}

void WaitingQueue::mark_first_list_locked(std::size_t units) {
  if (populated_) return;
  populated_ = true;
  initial_left_ = units;
}

bool WaitingQueue::is_bounded(const Delta& delta) {
  switch (delta.type) {
    case DeltaType::added:
    case DeltaType::updated:
    case DeltaType::bookmark:
      return true;
    case DeltaType::deleted:
      return !delta.is_tombstone;
    case DeltaType::replaced:
    case DeltaType::sync:
    case DeltaType::replaced_all:
    case DeltaType::sync_all:
      return false;
  }
  return false;
}

Result<bool> WaitingQueue::pop_unit(Unit unit, const PopHandler& handler,
                                    const std::stop_token* wait_stop) {
  std::optional<Taken> taken;
  {
    MutexLock lock(mu_);
    if (depth_locked() == 0 && !closed_ && wait_stop == nullptr) return false;
    Result<Taken> next = next_locked(unit, wait_stop);
    if (!next) return std::unexpected(std::move(next).error());
    taken = std::move(*next);
    taken->popped.is_in_initial_list = !synced_locked();
    ++in_process_;
    if (waiting_producers_ > 0) settled_.notify_all();
  }
  const Result<> applied = handler(taken->popped);
  {
    MutexLock lock(mu_);
    --in_process_;
    initial_left_ -= std::min(initial_left_, taken->initial_units);
    if (waiting_producers_ > 0) settled_.notify_all();
  }
  if (!applied) return std::unexpected(applied.error());
  return true;
}

Result<WaitingQueue::Taken> WaitingQueue::next_locked(Unit unit, const std::stop_token* wait_stop) {
  while (true) {
    if (wait_stop != nullptr && wait_stop->stop_requested()) {
      if (depth_locked() > 0) arrived_.notify_one();  // this wake-up was meant for another
      return fail(ErrorKind::stopped, "stopped");
    }
    if (depth_locked() > 0) return take_locked(unit);
    if (closed_ || wait_stop == nullptr) return std::unexpected(queue_closed_error());
    arrived_.wait(mu_, *wait_stop);
  }
}

}  // namespace kinf
