// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/in_order_fifo.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace kinf {
namespace {

/// Returns whether a delta must be popped alone: a list, a resync of all objects or a bookmark.
bool leaves_alone(DeltaType type) {
  return type == DeltaType::replaced_all || type == DeltaType::sync_all ||
         type == DeltaType::bookmark;
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
    return fail(ErrorKind::usage, "only an atomic queue can emit bookmarks");
  }
  if (options.batch_size == 0 || options.capacity == 0) {
    return fail(ErrorKind::usage, "the batch size and the capacity of a queue must be at least 1");
  }
  return std::unique_ptr<InOrderFifo>(new InOrderFifo(std::move(options)));
}

InOrderFifo::InOrderFifo(InOrderFifoOptions options)
    : Queue(std::move(options.key_function), std::move(options.transform), options.known_objects,
            options.capacity),
      options_(std::move(options)) {}

Result<void> InOrderFifo::remove(ObjectPtr object, const ChangeOrigin& origin,
                                 const std::stop_token& stop) {
  return change(DeltaType::deleted, std::move(object), origin, stop);
}

Result<void> InOrderFifo::remove(DeletedObject tombstone, const ChangeOrigin& origin,
                                 const std::stop_token& stop) {
  return enqueue(tombstone_delta(std::move(tombstone.key), std::move(tombstone.object), origin),
                 stop);
}

Result<void> InOrderFifo::replace(std::vector<ObjectPtr> objects, std::string resource_version,
                                  const ChangeOrigin& origin, const std::stop_token& stop) {
  if (options_.atomic_events) {
    return replace_atomic(std::move(objects), std::move(resource_version), origin);
  }
  return replace_each(std::move(objects), origin, stop);
}

Result<void> InOrderFifo::resync(const ChangeOrigin& origin, const std::stop_token& stop) {
  if (!options_.atomic_events) return Queue::resync(origin, stop);
  MutexLock lock(mu_);
  push_locked({.type = DeltaType::sync_all, .origin = origin});
  return {};
}

Result<void> InOrderFifo::bookmark(std::string resource_version, const ChangeOrigin& origin,
                                   const std::stop_token& stop) {
  if (!options_.emit_bookmarks) return {};
  MutexLock lock(mu_);
  if (Result<void> room = wait_for_room_locked(stop); !room) return room;
  push_locked({.type = DeltaType::bookmark,
               .origin = origin,
               .resource_version = std::move(resource_version)});
  return {};
}

std::vector<Deltas> InOrderFifo::snapshot_locked() const {
  std::vector<Deltas> queued;
  queued.reserve(items_.size());
  for (const Delta& delta : items_) queued.push_back({delta});
  return queued;
}

std::unordered_set<std::string> InOrderFifo::queued_keys_locked() const {
  std::unordered_set<std::string> keys;
  for (const Delta& delta : items_) keys.insert(delta.key);
  return keys;
}

void InOrderFifo::push_locked(Delta delta) {
  if (is_bounded(delta)) ++bounded_;
  items_.push_back(std::move(delta));
  notify_consumer_locked();
}

Delta InOrderFifo::take_front_locked() {
  Delta delta = std::move(items_.front());
  items_.pop_front();
  if (is_bounded(delta)) --bounded_;
  return delta;
}

Queue::Taken InOrderFifo::take_locked(Unit unit) {
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

Result<void> InOrderFifo::replace_atomic(std::vector<ObjectPtr> objects,
                                         std::string resource_version, const ChangeOrigin& origin) {
  Delta delta{.type = DeltaType::replaced_all,
              .origin = origin,
              .resource_version = std::move(resource_version)};
  delta.objects.reserve(objects.size());
  for (ObjectPtr& object : objects) {
    if (Result<std::string> key = key_of(*object); !key) return fail(key);
    Result<ObjectPtr> kept = transformed(transform_, std::move(object));
    if (!kept) return fail(kept);
    delta.objects.push_back(std::move(*kept));
  }
  MutexLock lock(mu_);
  push_locked(std::move(delta));
  mark_first_list_locked(items_.size());
  return {};
}

Result<void> InOrderFifo::replace_each(std::vector<ObjectPtr> objects, const ChangeOrigin& origin,
                                       const std::stop_token& stop) {
  std::vector<std::string> keys;
  keys.reserve(objects.size());
  for (const ObjectPtr& object : objects) {
    Result<std::string> key = key_of(*object);
    if (!key) return fail(key);
    keys.push_back(std::move(*key));
  }
  // All listed keys, including those after an object whose transform fails, so that no listed key
  // is deleted.
  const std::unordered_set<std::string> listed(keys.begin(), keys.end());
  Deltas list;
  list.reserve(objects.size());
  Result<void> outcome;
  for (std::size_t i = 0; i < objects.size() && outcome; ++i) {
    Result<Delta> delta =
        delta_of(DeltaType::replaced, std::move(keys[i]), std::move(objects[i]), origin);
    if (delta) {
      list.push_back(std::move(*delta));
    } else {
      outcome = fail(std::move(delta).error().within("couldn't enqueue object"));
    }
  }
  if (!outcome && options_.behaviour == Behaviour::strict) return outcome;

  MutexLock lock(mu_);
  if (Result<void> applied = wait_until_applied_locked(stop); !applied) return applied;
  push_deletions_locked(listed, origin);
  for (Delta& delta : list) push_locked(std::move(delta));
  if (outcome) mark_first_list_locked(items_.size());
  return outcome;
}

/// Queues tombstones for objects that are not in `listed`. First come the queued keys, in the order
/// of their first deltas, except keys whose newest delta is a deletion. Then come the other known
/// objects.
void InOrderFifo::push_deletions_locked(const std::unordered_set<std::string>& listed,
                                        const ChangeOrigin& origin) {
  std::vector<std::string> queued_keys;
  std::unordered_map<std::string, std::size_t> newest;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (newest.insert_or_assign(items_[i].key, i).second) queued_keys.push_back(items_[i].key);
  }
  for (std::string& key : queued_keys) {
    const Delta& last = items_[newest.at(key)];
    if (listed.contains(key) || last.type == DeltaType::deleted) continue;
    push_locked(tombstone_delta(std::move(key), last.object, origin));
  }
  push_known_deletions_locked(listed, origin);
}

}  // namespace kinf
