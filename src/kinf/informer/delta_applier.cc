// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/delta_applier.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "kinf/informer/version_tracker.h"

namespace kinf {
namespace {

Change reminder(std::string key, const ObjectPtr& object, const ChangeOrigin& origin) {
  return {.type = ChangeType::resync,
          .origin = origin,
          .key = std::move(key),
          .object = object,
          .old = object};
}

Change deletion(std::string key, ObjectPtr last, bool unknown, const ChangeOrigin& origin) {
  return {.type = ChangeType::deleted,
          .final_state_unknown = unknown,
          .origin = origin,
          .key = std::move(key),
          .object = std::move(last)};
}

bool is_other_object(const Object& a, const Object& b) {
  return !a.uid().empty() && !b.uid().empty() && a.uid() != b.uid();
}

}  // namespace

Result<void> DeltaApplier::apply(Popped& popped, std::vector<Change>& changes) {
  Delta& first = popped.deltas.front();
  switch (first.type) {
    case DeltaType::replaced_all: return apply_list(first, popped.is_in_initial_list, changes);
    case DeltaType::sync_all:
      for (const ObjectPtr& object : indexer_.list()) {
        changes.push_back(reminder(object->key(), object, first.origin));
      }
      return {};
    case DeltaType::bookmark: indexer_.bookmark(std::move(first.resource_version)); return {};
    default: return apply_each(popped, changes);
  }
}

Result<void> DeltaApplier::apply_each(Popped& popped, std::vector<Change>& changes) {
  writes_.clear();
  distinct_keys_ = popped.is_batch;
  for (Delta& delta : popped.deltas) {
    if (delta.type == DeltaType::deleted) {
      if (Result<void> removed = remove(delta, changes); !removed) return removed;
    } else {
      upsert(delta, popped.is_in_initial_list, changes);
    }
  }
  return flush();
}

void DeltaApplier::upsert(Delta& delta, bool initial, std::vector<Change>& changes) {
  ObjectPtr old = stored(delta.key);
  if (strict() && delta.type == DeltaType::sync) {
    if (old) changes.push_back(reminder(std::move(delta.key), old, delta.origin));
    return;
  }
  const auto write = old ? StoreWrite::Type::update : StoreWrite::Type::add;
  // Accept listed objects even if they are older than the stored ones: the reflector queues a list
  // that is older than the last watch event only if the server was restored from a backup.
  const bool from_list = delta.type == DeltaType::replaced;
  Change change{.initial = initial,
                .origin = delta.origin,
                .key = std::move(delta.key),
                .object = delta.object,
                .old = std::move(old)};
  if (settle(std::move(change), from_list, changes)) {
    writes_.push_back({write, changes.back().key, std::move(delta.object)});
  }
}

Result<void> DeltaApplier::remove(Delta& delta, std::vector<Change>& changes) {
  ObjectPtr old = stored(delta.key);
  if (strict()) {
    if (!old) {
      InformerCounters::count(counters_.unknown_deletions);
      return {};
    }
    // Ignore a late deletion of an earlier object with the same name. But accept the deletion of
    // the stored object even if its version is older, because keeping a deleted object is worse.
    if (!delta.is_tombstone && is_other_object(*old, *delta.object)) {
      if (is_older_version(delta.object->resource_version(), old->resource_version())) {
        InformerCounters::count(counters_.version_regressions);
        return {};
      }
      // The deleted object is a later one with the same name, which handlers have never seen. The
      // stored object must be gone, too, so report its deletion instead.
      delta = tombstone_delta(std::move(delta.key), std::move(old), delta.origin);
      old = delta.object;
    }
  }
  if (!delta.is_tombstone) {
    changes.push_back(deletion(std::move(delta.key), delta.object, false, delta.origin));
    writes_.push_back({StoreWrite::Type::remove, changes.back().key, std::move(delta.object)});
    return {};
  }
  changes.push_back(deletion(delta.key, strict() ? old : delta.object, true, delta.origin));
  if (Result<void> flushed = flush(); !flushed) return flushed;
  return indexer_.remove(DeletedObject{std::move(delta.key), std::move(delta.object)});
}

bool DeltaApplier::settle(Change change, bool trusted, std::vector<Change>& changes) {
  if (change.old) {
    const Object& old = *change.old;
    const Object& object = *change.object;
    if (!strict()) {
      const bool is_sync = old.resource_version() == object.resource_version();
      change.type = is_sync ? ChangeType::resync : ChangeType::updated;
    } else if (is_same_state(old, object)) {
      InformerCounters::count(counters_.unchanged);
      return false;
    } else if (!trusted && is_older_version(object.resource_version(), old.resource_version())) {
      InformerCounters::count(counters_.version_regressions);
      return false;
    } else if (is_other_object(old, object)) {
      changes.push_back(deletion(change.key, std::exchange(change.old, {}), true, change.origin));
      change.recreated = true;
    } else {
      change.type = ChangeType::updated;
    }
    change.initial = false;
  }
  changes.push_back(std::move(change));
  return true;
}

Result<void> DeltaApplier::apply_list(Delta& delta, bool initial, std::vector<Change>& changes) {
  std::vector<ObjectPtr>& objects = delta.objects;
  const std::size_t changes_before = changes.size();
  std::vector<std::string> keys;
  keys.reserve(objects.size());
  std::unordered_map<std::string_view, std::size_t> listed;  // key -> last index in `objects`
  listed.reserve(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    listed.insert_or_assign(keys.emplace_back(objects[i]->key()), i);
  }
  std::vector<bool> superseded(objects.size());  // whether a later object has the same key
  if (strict() && listed.size() < objects.size()) {
    for (std::size_t i = 0; i < objects.size(); ++i) superseded[i] = listed.at(keys[i]) != i;
  }

  std::vector<std::pair<std::string, ObjectPtr>> gone;
  indexer_.with_read_lock([&](const IndexTable& table) {
    table.for_each([&](const std::string& key, const ObjectPtr& object) {
      if (!listed.contains(key)) gone.emplace_back(key, object);
    });
  });
  std::sort(gone.begin(), gone.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [key, object] : gone) {
    changes.push_back(deletion(std::move(key), std::move(object), true, delta.origin));
  }

  const bool set_back =
      is_older_version(delta.resource_version, indexer_.last_store_sync_resource_version());
  // If the stored object is not newer than the list, trust the list even if the listed object is
  // older, because the server was restored from a backup and has written new versions since.
  const auto is_trusted = [&](const ObjectPtr& old) {
    return set_back || (old && !is_older_version(delta.resource_version, old->resource_version()));
  };
  std::vector<ObjectPtr> content;
  content.reserve(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (superseded[i]) continue;
    ObjectPtr old = indexer_.get_by_key(keys[i]);
    const bool trusted = is_trusted(old);
    Change change{.initial = initial,
                  .origin = delta.origin,
                  .key = std::move(keys[i]),
                  .object = objects[i],
                  .old = old};
    const bool taken = settle(std::move(change), trusted, changes);
    content.push_back(taken ? std::move(objects[i]) : std::move(old));
  }
  if (strict() && changes.size() == changes_before) {  // nothing changed
    indexer_.bookmark(std::move(delta.resource_version));
    return {};
  }
  return indexer_.replace(content, std::move(delta.resource_version));
}

ObjectPtr DeltaApplier::stored(const std::string& key) const {
  if (distinct_keys_ || writes_.empty()) return indexer_.get_by_key(key);
  const StoreWrite& last = writes_.back();
  return last.type == StoreWrite::Type::remove ? ObjectPtr() : last.object;
}

Result<void> DeltaApplier::flush() {
  if (writes_.empty()) return {};
  const TransactionReport report = indexer_.transaction(std::exchange(writes_, {}));
  if (!report.ok()) return fail(report.error());
  return {};
}

}  // namespace kinf
