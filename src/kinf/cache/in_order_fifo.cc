// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/in_order_fifo.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace kinf {
namespace {

/// These concern more than one object, so they leave alone.
bool leaves_alone(DeltaType type) {
  return type == DeltaType::replaced_all || type == DeltaType::sync_all ||
         type == DeltaType::bookmark;
}

/// The delta of a list item or a change: keyed first, then transformed.
Result<Delta> object_delta(const InOrderFifoOptions& options, DeltaType type, ObjectPtr object,
                           const ChangeOrigin& origin) {
  Result<std::string> key = key_of(options.key_function, *object);
  if (!key) return std::unexpected(std::move(key).error());
  Result<ObjectPtr> kept = transformed(options.transform, std::move(object));
  if (!kept) return std::unexpected(std::move(kept).error());
  return Delta{.type = type, .origin = origin, .key = std::move(*key), .object = std::move(*kept)};
}

}  // namespace

Result<std::unique_ptr<InOrderFifo>> InOrderFifo::create(InOrderFifoOptions options) {
  if (options.atomic_events && options.known_objects != nullptr) {
    return fail(ErrorKind::usage, "an atomic queue must not have known objects");
  }
  if (!options.atomic_events && options.known_objects == nullptr) {
    return fail(ErrorKind::usage, "a queue that is not atomic needs known objects");
  }
  if (!options.atomic_events && options.emit_bookmarks) {
    return fail(ErrorKind::usage, "only an atomic queue can pass bookmarks on");
  }
  if (options.batch_size == 0 || options.capacity == 0) {
    return fail(ErrorKind::usage, "a queue needs room for one delta at least");
  }
  return std::unique_ptr<InOrderFifo>(new InOrderFifo(std::move(options)));
}

InOrderFifo::InOrderFifo(InOrderFifoOptions options)
    : WaitingQueue(options.capacity), options_(std::move(options)) {}

Result<> InOrderFifo::add(ObjectPtr object, const ChangeOrigin& origin,
                          const std::stop_token& stop) {
  return change(DeltaType::added, std::move(object), origin, stop);
}

Result<> InOrderFifo::update(ObjectPtr object, const ChangeOrigin& origin,
                             const std::stop_token& stop) {
  return change(DeltaType::updated, std::move(object), origin, stop);
}

Result<> InOrderFifo::remove(ObjectPtr object, const ChangeOrigin& origin,
                             const std::stop_token& stop) {
  return change(DeltaType::deleted, std::move(object), origin, stop);
}

Result<> InOrderFifo::remove(DeletedObject tombstone, const ChangeOrigin& origin,
                             const std::stop_token& stop) {
  return enqueue_change(
      tombstone_delta(std::move(tombstone.key), std::move(tombstone.object), origin), stop);
}

Result<> InOrderFifo::replace(std::vector<ObjectPtr> objects, std::string resource_version,
                              const ChangeOrigin& origin, const std::stop_token& stop) {
  if (options_.atomic_events) {
    return replace_atomic(std::move(objects), std::move(resource_version), origin);
  }
  return replace_each(std::move(objects), origin, stop);
}

Result<> InOrderFifo::resync(const ChangeOrigin& origin, const std::stop_token& stop) {
  MutexLock lock(mu_);
  if (options_.atomic_events) {
    push_locked({.type = DeltaType::sync_all, .origin = origin});
    return {};
  }
  if (Result<> applied = wait_until_applied_locked(stop); !applied) return applied;
  std::unordered_set<std::string> queued;
  for (const Delta& delta : items_) queued.insert(delta.key);
  for (std::string& key : options_.known_objects->list_keys()) {
    if (queued.contains(key)) continue;  // an older state must not overtake what is queued
    ObjectPtr object = options_.known_objects->get_by_key(key);
    if (!object) continue;
    push_locked({.type = DeltaType::sync,
                 .origin = origin,
                 .key = std::move(key),
                 .object = std::move(object)});
  }
  return {};
}

Result<> InOrderFifo::bookmark(std::string resource_version, const ChangeOrigin& origin,
                               const std::stop_token& stop) {
  if (!options_.emit_bookmarks) return {};
  MutexLock lock(mu_);
  if (Result<> room = wait_for_room_locked(stop); !room) return room;
  push_locked({.type = DeltaType::bookmark,
               .origin = origin,
               .resource_version = std::move(resource_version)});
  return {};
}

Deltas InOrderFifo::snapshot() const {
  MutexLock lock(mu_);
  return {items_.begin(), items_.end()};
}

Result<> InOrderFifo::change(DeltaType type, ObjectPtr object, const ChangeOrigin& origin,
                             const std::stop_token& stop) {
  Result<Delta> delta = object_delta(options_, type, std::move(object), origin);
  if (!delta) {
    // As in client-go, an attempt is enough to end the time before the first list.
    MutexLock lock(mu_);
    mark_populated_locked();
    return std::unexpected(std::move(delta).error());
  }
  return enqueue_change(std::move(*delta), stop);
}

Result<> InOrderFifo::enqueue_change(Delta delta, const std::stop_token& stop) {
  MutexLock lock(mu_);
  if (Result<> room = wait_for_room_locked(stop); !room) return room;
  mark_populated_locked();
  push_locked(std::move(delta));
  return {};
}

void InOrderFifo::push_locked(Delta delta) {
  if (is_bounded(delta)) ++bounded_;
  items_.push_back(std::move(delta));
  notify_consumer();
}

Delta InOrderFifo::take_front_locked() {
  Delta delta = std::move(items_.front());
  items_.pop_front();
  if (is_bounded(delta)) --bounded_;
  return delta;
}

WaitingQueue::Taken InOrderFifo::take_locked(Unit unit) {
  Taken taken;
  taken.initial_units = unit == Unit::batch ? batch_length_locked() : 1;
  taken.popped.is_batch = taken.initial_units > 1;
  taken.popped.deltas.reserve(taken.initial_units);
  for (std::size_t i = 0; i < taken.initial_units; ++i) {
    taken.popped.deltas.push_back(take_front_locked());
  }
  return taken;
}

std::size_t InOrderFifo::batch_length_locked() const {
  std::size_t limit = std::min(items_.size(), options_.batch_size);
  if (const std::size_t initial = initial_units_left_locked(); initial > 0) {
    limit = std::min(limit, initial);
  }
  std::unordered_set<std::string_view> keys;
  std::size_t length = 0;
  while (length < limit) {
    const Delta& delta = items_[length];
    if (leaves_alone(delta.type)) return std::max<std::size_t>(length, 1);
    if (!keys.insert(delta.key).second) break;
    ++length;
  }
  return length;
}

Result<> InOrderFifo::replace_atomic(std::vector<ObjectPtr> objects, std::string resource_version,
                                     const ChangeOrigin& origin) {
  Delta delta{.type = DeltaType::replaced_all,
              .origin = origin,
              .resource_version = std::move(resource_version)};
  delta.objects.reserve(objects.size());
  for (ObjectPtr& object : objects) {
    if (Result<std::string> key = key_of(options_.key_function, *object); !key) {
      return std::unexpected(std::move(key).error());
    }
    Result<ObjectPtr> kept = transformed(options_.transform, std::move(object));
    if (!kept) return std::unexpected(std::move(kept).error());
    delta.objects.push_back(std::move(*kept));
  }
  MutexLock lock(mu_);
  push_locked(std::move(delta));
  mark_first_list_locked(items_.size());
  return {};
}

Result<> InOrderFifo::replace_each(std::vector<ObjectPtr> objects, const ChangeOrigin& origin,
                                   const std::stop_token& stop) {
  Deltas listed;
  listed.reserve(objects.size());
  // For the deletions every key counts, also behind an object that fails.
  Deltas keys_only;
  keys_only.reserve(objects.size());
  for (const ObjectPtr& object : objects) {
    Result<std::string> key = key_of(options_.key_function, *object);
    if (!key) return std::unexpected(std::move(key).error());
    keys_only.emplace_back().key = std::move(*key);
  }
  Result<> outcome;
  for (ObjectPtr& object : objects) {
    Result<Delta> delta = object_delta(options_, DeltaType::replaced, std::move(object), origin);
    if (!delta) {
      outcome = std::unexpected(std::move(delta).error().within("couldn't enqueue object"));
      break;
    }
    listed.push_back(std::move(*delta));
  }
  if (!outcome && options_.behaviour == Behaviour::strict) return outcome;

  MutexLock lock(mu_);
  if (Result<> applied = wait_until_applied_locked(stop); !applied) return applied;
  push_deletions_locked(keys_only, origin);
  for (Delta& delta : listed) push_locked(std::move(delta));
  if (outcome) mark_first_list_locked(items_.size());
  return outcome;
}

/// Tombstones for what `listed` does not hold: first the keys that are queued, in the order in
/// which they first appear there, unless their newest delta is a deletion; then the known ones.
void InOrderFifo::push_deletions_locked(const Deltas& listed, const ChangeOrigin& origin) {
  std::unordered_set<std::string> kept;
  for (const Delta& delta : listed) kept.insert(delta.key);
  std::vector<std::string> queued_keys;
  std::unordered_map<std::string, std::size_t> newest;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (newest.insert_or_assign(items_[i].key, i).second) queued_keys.push_back(items_[i].key);
  }
  for (std::string& key : queued_keys) {
    const Delta& last = items_[newest.at(key)];
    if (kept.contains(key) || last.type == DeltaType::deleted) continue;
    push_locked(tombstone_delta(std::move(key), last.object, origin));
  }
  for (std::string& key : options_.known_objects->list_keys()) {
    if (kept.contains(key) || newest.contains(key)) continue;
    ObjectPtr object = options_.known_objects->get_by_key(key);
    push_locked(tombstone_delta(std::move(key), std::move(object), origin));
  }
}

}  // namespace kinf
