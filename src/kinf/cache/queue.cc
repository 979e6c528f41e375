// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/queue.h"

#include <algorithm>
#include <optional>

namespace kinf {

Queue::Queue(KeyFunction key_function, Transform transform, const KnownObjects* known_objects,
             std::size_t capacity)
    : key_function_(std::move(key_function)),
      transform_(std::move(transform)),
      known_objects_(known_objects),
      capacity_(capacity) {}

Result<void> Queue::add(ObjectPtr object, const ChangeOrigin& origin, const std::stop_token& stop) {
  return change(DeltaType::added, std::move(object), origin, stop);
}

Result<void> Queue::update(ObjectPtr object, const ChangeOrigin& origin,
                           const std::stop_token& stop) {
  return change(DeltaType::updated, std::move(object), origin, stop);
}

Result<void> Queue::resync(const ChangeOrigin& origin, const std::stop_token& stop) {
  if (known_objects_ == nullptr) return {};
  MutexLock lock(mu_);
  if (Result<void> applied = wait_until_applied_locked(stop); !applied) return applied;
  const std::unordered_set<std::string> queued = queued_keys_locked();
  for (std::string& key : known_objects_->list_keys()) {
    if (queued.contains(key)) continue;
    if (ObjectPtr object = known_objects_->get_by_key(key)) {
      push_locked({.type = DeltaType::sync,
                   .origin = origin,
                   .key = std::move(key),
                   .object = std::move(object)});
    }
  }
  return {};
}

Result<Delta> Queue::delta_of(DeltaType type, std::string key, ObjectPtr object,
                              const ChangeOrigin& origin) const {
  Result<ObjectPtr> kept = transformed(transform_, std::move(object));
  if (!kept) return fail(kept);
  return Delta{.type = type, .origin = origin, .key = std::move(key), .object = std::move(*kept)};
}

Result<void> Queue::change(DeltaType type, ObjectPtr object, const ChangeOrigin& origin,
                           const std::stop_token& stop) {
  Result<std::string> key = key_of(*object);
  Result<Delta> delta =
      key ? delta_of(type, std::move(*key), std::move(object), origin) : fail(key);
  if (delta) return enqueue(std::move(*delta), stop);
  // As in client-go, even a change that fails before the initial list makes has_synced() true.
  MutexLock lock(mu_);
  mark_populated_locked();
  return fail(delta);
}

Result<void> Queue::enqueue(Delta delta, const std::stop_token& stop) {
  MutexLock lock(mu_);
  if (Result<void> room = wait_for_room_locked(stop); !room) return room;
  mark_populated_locked();
  push_locked(std::move(delta));
  return {};
}

std::size_t Queue::push_known_deletions_locked(const std::unordered_set<std::string>& listed,
                                               const ChangeOrigin& origin) {
  if (known_objects_ == nullptr) return 0;
  const std::unordered_set<std::string> queued = queued_keys_locked();
  std::size_t deletions = 0;
  for (std::string& key : known_objects_->list_keys()) {
    if (listed.contains(key) || queued.contains(key)) continue;
    ObjectPtr object = known_objects_->get_by_key(key);
    push_locked(tombstone_delta(std::move(key), std::move(object), origin));
    ++deletions;
  }
  return deletions;
}

Queue::Batch::Batch(Queue& queue) : queue_(queue) {
  MutexLock lock(queue_.mu_);
  ++queue_.batches_;
}

Queue::Batch::~Batch() {
  MutexLock lock(queue_.mu_);
  --queue_.batches_;
  if (queue_.depth_locked() > 0) queue_.notify_consumer_locked();
}

bool Queue::has_room() const {
  MutexLock lock(mu_);
  return has_room_locked();
}

Result<void> Queue::pop(const PopHandler& handler, const std::stop_token& stop) {
  const Result<bool> popped = pop_unit(Unit::single, handler, &stop);
  if (!popped) return fail(popped);
  return {};
}

Result<bool> Queue::try_pop(const PopHandler& handler) {
  return pop_unit(Unit::single, handler, nullptr);
}

Result<void> Queue::pop_batch(const PopHandler& handler, const std::stop_token& stop) {
  const Result<bool> popped = pop_unit(Unit::batch, handler, &stop);
  if (!popped) return fail(popped);
  return {};
}

Result<bool> Queue::try_pop_batch(const PopHandler& handler) {
  return pop_unit(Unit::batch, handler, nullptr);
}

void Queue::close() {
  MutexLock lock(mu_);
  closed_ = true;
  arrived_.notify_all();
  settled_.notify_all();
}

bool Queue::is_closed() const {
  MutexLock lock(mu_);
  return closed_;
}

bool Queue::has_synced() const {
  MutexLock lock(mu_);
  return synced_locked();
}

std::size_t Queue::depth() const {
  MutexLock lock(mu_);
  return depth_locked();
}

std::vector<Deltas> Queue::snapshot() const {
  MutexLock lock(mu_);
  return snapshot_locked();
}

Result<void> Queue::wait_for_room_locked(const std::stop_token& stop) {
  while (!has_room_locked()) {
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    wait_locked(stop);
  }
  return {};
}

Result<void> Queue::wait_until_applied_locked(const std::stop_token& stop) {
  while (in_process_ > 0) {
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    wait_locked(stop);
  }
  return {};
}

void Queue::wait_locked(const std::stop_token& stop) {
  ++waiting_producers_;
  arrived_.notify_all();
  settled_.wait(mu_, stop);
  --waiting_producers_;
}

void Queue::mark_first_list_locked(std::size_t units) {
  if (populated_) return;
  populated_ = true;
  initial_left_ = units;
}

bool Queue::is_bounded(const Delta& delta) {
  switch (delta.type) {
    case DeltaType::added:
    case DeltaType::updated:
    case DeltaType::bookmark: return true;
    case DeltaType::deleted: return !delta.is_tombstone;
    case DeltaType::replaced:
    case DeltaType::sync:
    case DeltaType::replaced_all:
    case DeltaType::sync_all: return false;
  }
  return false;
}

Result<bool> Queue::pop_unit(Unit unit, const PopHandler& handler,
                             const std::stop_token* wait_stop) {
  std::optional<Taken> taken;
  {
    MutexLock lock(mu_);
    if (depth_locked() == 0 && !closed_ && wait_stop == nullptr) return false;
    Result<Taken> next = next_locked(unit, wait_stop);
    if (!next) return fail(next);
    taken = std::move(*next);
    taken->popped.is_in_initial_list = !synced_locked();
    ++in_process_;
    if (waiting_producers_ > 0) settled_.notify_all();
  }
  const Result<void> applied = handler(taken->popped);
  {
    MutexLock lock(mu_);
    --in_process_;
    initial_left_ -= std::min(initial_left_, taken->initial_units);
    if (waiting_producers_ > 0) settled_.notify_all();
  }
  if (!applied) return fail(applied);
  return true;
}

Result<Queue::Taken> Queue::next_locked(Unit unit, const std::stop_token* wait_stop) {
  while (true) {
    if (wait_stop != nullptr && wait_stop->stop_requested()) {
      if (depth_locked() > 0) arrived_.notify_one();  // another consumer may be waiting
      return fail(ErrorKind::stopped, "stopped");
    }
    if (depth_locked() > 0) return take_locked(unit);
    if (closed_ || wait_stop == nullptr) {
      // The message is client-go's.
      return fail(ErrorKind::stopped, "DeltaFIFO: manipulating with closed queue");
    }
    ++waiting_consumers_;
    arrived_.wait(mu_, *wait_stop);
    --waiting_consumers_;
  }
}

std::string_view to_string(DeltaType type) {
  // In the order of DeltaType.
  constexpr std::string_view kNames[] = {"Added", "Updated",     "Deleted", "Replaced",
                                         "Sync",  "ReplacedAll", "SyncAll", "Bookmark"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(DeltaType::bookmark) + 1);
  return kNames[static_cast<std::size_t>(type)];
}

Delta tombstone_delta(std::string key, ObjectPtr last_known, const ChangeOrigin& origin) {
  return {.type = DeltaType::deleted,
          .is_tombstone = true,
          .origin = origin,
          .key = std::move(key),
          .object = std::move(last_known)};
}

}  // namespace kinf
