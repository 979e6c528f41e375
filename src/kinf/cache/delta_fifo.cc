// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/delta_fifo.h"

#include <optional>

namespace kinf {

DeltaFifo::DeltaFifo(DeltaFifoOptions options)
    : WaitingQueue(options.capacity), options_(std::move(options)) {}

Result<> DeltaFifo::add(ObjectPtr object, const ChangeOrigin& origin, const std::stop_token& stop) {
  return change(DeltaType::added, std::move(object), origin, stop);
}

Result<> DeltaFifo::update(ObjectPtr object, const ChangeOrigin& origin,
                           const std::stop_token& stop) {
  return change(DeltaType::updated, std::move(object), origin, stop);
}

Result<> DeltaFifo::remove(ObjectPtr object, const ChangeOrigin& origin,
                           const std::stop_token& stop) {
  Result<std::string> key = key_of(options_.key_function, *object);
  if (!key) return std::unexpected(std::move(key).error());
  return enqueue_deletion(delta_for(DeltaType::deleted, *key, std::move(object), origin), *key,
                          stop);
}

Result<> DeltaFifo::remove(DeletedObject tombstone, const ChangeOrigin& origin,
                           const std::stop_token& stop) {
  const std::string key = tombstone.key;
  return enqueue_deletion(
      tombstone_delta(std::move(tombstone.key), std::move(tombstone.object), origin), key, stop);
}

Result<> DeltaFifo::replace(std::vector<ObjectPtr> objects, std::string /*resource_version*/,
                            const ChangeOrigin& origin, const std::stop_token& stop) {
  const DeltaType type = options_.emit_replaced ? DeltaType::replaced : DeltaType::sync;
  Deltas list;
  list.reserve(objects.size());
  std::unordered_set<std::string> listed;
  std::optional<Error> failure;
  for (ObjectPtr& object : objects) {
    Result<std::string> key = key_of(options_.key_function, *object);
    if (!key) {
      failure = std::move(key).error();
      break;
    }
    listed.insert(*key);
    Result<Delta> delta = delta_for(type, std::move(*key), std::move(object), origin);
    if (!delta) {
      failure = std::move(delta).error().within("couldn't enqueue object");
      break;
    }
    list.push_back(std::move(*delta));
  }
  if (failure && options_.behaviour == Behaviour::strict) return std::unexpected(*failure);

  MutexLock lock(mu_);
  if (Result<> applied = wait_until_applied_locked(stop); !applied) return applied;
  for (Delta& delta : list) push_locked(std::move(delta));
  if (failure) return std::unexpected(*failure);
  const std::size_t deletions = push_deletions_locked(listed, origin);
  mark_first_list_locked(listed.size() + deletions);
  return {};
}

Result<> DeltaFifo::resync(const ChangeOrigin& origin, const std::stop_token& stop) {
  if (options_.known_objects == nullptr) return {};
  MutexLock lock(mu_);
  if (Result<> applied = wait_until_applied_locked(stop); !applied) return applied;
  for (std::string& key : options_.known_objects->list_keys()) {
    if (items_.contains(key)) continue;  // an older state must not overtake what is queued
    ObjectPtr object = options_.known_objects->get_by_key(key);
    if (!object) continue;
    push_locked({.type = DeltaType::sync,
                 .origin = origin,
                 .key = std::move(key),
                 .object = std::move(object)});
  }
  return {};
}

Result<> DeltaFifo::bookmark(std::string /*resource_version*/, const ChangeOrigin& /*origin*/,
                             const std::stop_token& /*stop*/) {
  return {};
}

std::vector<std::pair<std::string, Deltas>> DeltaFifo::snapshot() const {
  std::vector<std::pair<std::string, Deltas>> queued;
  MutexLock lock(mu_);
  for (const std::string& key : queue_) queued.emplace_back(key, items_.at(key));
  return queued;
}

WaitingQueue::Taken DeltaFifo::take_locked(Unit /*unit*/) {
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

Result<> DeltaFifo::change(DeltaType type, ObjectPtr object, const ChangeOrigin& origin,
                           const std::stop_token& stop) {
  Result<Delta> delta = [&]() -> Result<Delta> {
    Result<std::string> key = key_of(options_.key_function, *object);
    if (!key) return std::unexpected(std::move(key).error());
    return delta_for(type, std::move(*key), std::move(object), origin);
  }();
  MutexLock lock(mu_);
  if (!delta) {
    // As in client-go, an attempt is enough to end the time before the first list.
    mark_populated_locked();
    return std::unexpected(std::move(delta).error());
  }
  if (Result<> room = wait_for_room_locked(stop); !room) return room;
  mark_populated_locked();
  push_locked(std::move(*delta));
  return {};
}

Result<> DeltaFifo::enqueue_deletion(Result<Delta> delta, const std::string& key,
                                     const std::stop_token& stop) {
  MutexLock lock(mu_);
  while (true) {
    if (options_.known_objects != nullptr) {
      if (Result<> applied = wait_until_applied_locked(stop); !applied) return applied;
    }
    mark_populated_locked();
    if (!is_known_locked(key)) return {};
    if (!delta) return std::unexpected(std::move(delta).error());
    if (has_room_locked()) break;
    // While this waits the consumer may apply another deletion of the key: look again.
    if (Result<> room = wait_for_room_locked(stop); !room) return room;
  }
  push_locked(std::move(*delta));
  return {};
}

Result<Delta> DeltaFifo::delta_for(DeltaType type, std::string key, ObjectPtr object,
                                   const ChangeOrigin& origin) const {
  Result<ObjectPtr> kept = transformed(options_.transform, std::move(object));
  if (!kept) return std::unexpected(std::move(kept).error());
  return Delta{.type = type, .origin = origin, .key = std::move(key), .object = std::move(*kept)};
}

void DeltaFifo::push_locked(Delta delta) {
  if (is_bounded(delta)) ++bounded_;
  const auto [found, is_new] = items_.try_emplace(delta.key);
  if (is_new) queue_.push_back(delta.key);
  found->second.push_back(std::move(delta));
  fold_deletions_locked(found->second);
  notify_consumer();
}

void DeltaFifo::fold_deletions_locked(Deltas& deltas) {
  if (deltas.size() < 2) return;
  Delta& older = deltas[deltas.size() - 2];
  if (older.type != DeltaType::deleted || deltas.back().type != DeltaType::deleted) return;
  if (older.is_tombstone) std::swap(older, deltas.back());
  if (is_bounded(deltas.back())) --bounded_;
  deltas.pop_back();
}

std::size_t DeltaFifo::push_deletions_locked(const std::unordered_set<std::string>& listed,
                                             const ChangeOrigin& origin) {
  std::size_t deletions = 0;
  const std::size_t queued = queue_.size();
  for (std::size_t i = 0; i < queued; ++i) {
    const std::string& key = queue_[i];
    if (listed.contains(key)) continue;
    push_locked(tombstone_delta(key, items_.at(key).back().object, origin));
    ++deletions;
  }
  if (options_.known_objects == nullptr) return deletions;
  for (const std::string& key : options_.known_objects->list_keys()) {
    if (listed.contains(key) || items_.contains(key)) continue;
    push_locked(tombstone_delta(key, options_.known_objects->get_by_key(key), origin));
    ++deletions;
  }
  return deletions;
}

bool DeltaFifo::is_known_locked(const std::string& key) const {
  if (items_.contains(key)) return true;
  return options_.known_objects != nullptr && options_.known_objects->get_by_key(key);
}

}  // namespace kinf
