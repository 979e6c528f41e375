// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/delta_fifo.h"

#include <optional>

namespace kinf {

DeltaFifo::DeltaFifo(DeltaFifoOptions options)
    : Queue(std::move(options.key_function), std::move(options.transform), options.known_objects,
            options.capacity),
      emit_replaced_(options.emit_replaced),
      behaviour_(options.behaviour) {}

Result<void> DeltaFifo::remove(ObjectPtr object, const ChangeOrigin& origin,
                               const std::stop_token& stop) {
  const Result<std::string> key = key_of(*object);
  if (!key) return fail(key);
  return enqueue_deletion(delta_of(DeltaType::deleted, *key, std::move(object), origin), *key,
                          stop);
}

Result<void> DeltaFifo::remove(DeletedObject tombstone, const ChangeOrigin& origin,
                               const std::stop_token& stop) {
  const std::string key = tombstone.key;
  return enqueue_deletion(
      tombstone_delta(std::move(tombstone.key), std::move(tombstone.object), origin), key, stop);
}

Result<void> DeltaFifo::replace(std::vector<ObjectPtr> objects, std::string /*resource_version*/,
                                const ChangeOrigin& origin, const std::stop_token& stop) {
  const DeltaType type = emit_replaced_ ? DeltaType::replaced : DeltaType::sync;
  Deltas list;
  list.reserve(objects.size());
  std::unordered_set<std::string> listed;
  std::optional<Error> failure;
  for (ObjectPtr& object : objects) {
    Result<std::string> key = key_of(*object);
    if (!key) {
      failure = std::move(key).error();
      break;
    }
    listed.insert(*key);
    Result<Delta> delta = delta_of(type, std::move(*key), std::move(object), origin);
    if (!delta) {
      failure = std::move(delta).error().within("couldn't enqueue object");
      break;
    }
    list.push_back(std::move(*delta));
  }
  if (failure && behaviour_ == Behaviour::strict) return fail(*failure);

  MutexLock lock(mu_);
  if (Result<void> applied = wait_until_applied_locked(stop); !applied) return applied;
  for (Delta& delta : list) push_locked(std::move(delta));
  if (failure) return fail(*failure);
  std::size_t deletions = 0;
  const std::vector<std::string> queued(queue_.begin(), queue_.end());
  for (const std::string& key : queued) {
    if (listed.contains(key)) continue;
    push_locked(tombstone_delta(key, items_.at(key).back().object, origin));
    ++deletions;
  }
  deletions += push_known_deletions_locked(listed, origin);
  mark_first_list_locked(listed.size() + deletions);
  return {};
}

Result<void> DeltaFifo::bookmark(std::string /*resource_version*/, const ChangeOrigin& /*origin*/,
                                 const std::stop_token& /*stop*/) {
  return {};
}

std::vector<Deltas> DeltaFifo::snapshot_locked() const {
  std::vector<Deltas> queued;
  queued.reserve(queue_.size());
  for (const std::string& key : queue_) queued.push_back(items_.at(key));
  return queued;
}

Queue::Taken DeltaFifo::take_locked(Unit /*unit*/) {
  Taken taken;
  taken.initial_units = 1;
  auto node = items_.extract(queue_.front());
  queue_.pop_front();
  taken.popped.deltas = std::move(node.mapped());
  for (const Delta& delta : taken.popped.deltas) {
    if (is_bounded(delta)) --bounded_;
  }
  return taken;
}

Result<void> DeltaFifo::enqueue_deletion(Result<Delta> delta, const std::string& key,
                                         const std::stop_token& stop) {
  MutexLock lock(mu_);
  while (true) {
    if (known_objects_ != nullptr) {
      if (Result<void> applied = wait_until_applied_locked(stop); !applied) return applied;
    }
    mark_populated_locked();
    if (!is_known_locked(key)) return {};
    if (!delta) return fail(delta);
    if (has_room_locked()) break;
    // During the wait the consumer may apply another deletion of the key, so check again.
    if (Result<void> room = wait_for_room_locked(stop); !room) return room;
  }
  push_locked(std::move(*delta));
  return {};
}

std::unordered_set<std::string> DeltaFifo::queued_keys_locked() const {
  return {queue_.begin(), queue_.end()};
}

void DeltaFifo::push_locked(Delta delta) {
  if (is_bounded(delta)) ++bounded_;
  const auto [found, is_new] = items_.try_emplace(delta.key);
  if (is_new) queue_.push_back(delta.key);
  found->second.push_back(std::move(delta));
  fold_deletions_locked(found->second);
  notify_consumer_locked();
}

void DeltaFifo::fold_deletions_locked(Deltas& deltas) {
  if (deltas.size() < 2) return;
  Delta& older = deltas[deltas.size() - 2];
  if (older.type != DeltaType::deleted || deltas.back().type != DeltaType::deleted) return;
  if (older.is_tombstone) std::swap(older, deltas.back());
  if (is_bounded(deltas.back())) --bounded_;
  deltas.pop_back();
}

bool DeltaFifo::is_known_locked(const std::string& key) const {
  if (items_.contains(key)) return true;
  return known_objects_ != nullptr && known_objects_->get_by_key(key);
}

}  // namespace kinf
