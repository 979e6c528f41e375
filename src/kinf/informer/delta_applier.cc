// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/delta_applier.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "kinf/informer/resource_version.h"

namespace kinf {
namespace {

Change addition(ObjectPtr object, bool initial, bool recreated, const Origin& origin) {
  return {AddEvent{std::move(object), initial, recreated, origin.source, origin.arrived}, false};
}

Change deletion(std::string key, ObjectPtr object, bool unknown, const Origin& origin) {
  return {DeleteEvent{std::move(key), std::move(object), unknown, origin.source, origin.arrived},
          false};
}

Change modification(ObjectPtr old, ObjectPtr object, const Origin& origin, bool is_sync) {
  return {UpdateEvent{std::move(old), std::move(object), origin.source, origin.arrived}, is_sync};
}

bool is_other_object(const Object& a, const Object& b) {
  return !a.uid().empty() && !b.uid().empty() && a.uid() != b.uid();
}

}  // namespace

Result<> DeltaApplier::apply(Popped& popped, std::vector<Change>& changes) {
  Delta& first = popped.deltas.front();
  switch (first.type) {
    case DeltaType::replaced_all:
      return apply_list(first, popped.is_in_initial_list, changes);
    case DeltaType::sync_all:
      remind_of_all(first.origin, changes);
      return {};
    case DeltaType::bookmark:
      indexer_.bookmark(std::move(first.resource_version));
      return {};
    default:
      return apply_each(popped, changes);
  }
}

Result<> DeltaApplier::apply_each(Popped& popped, std::vector<Change>& changes) {
  writes_.clear();
  written_keys_.clear();
  distinct_keys_ = popped.is_batch;
  for (Delta& delta : popped.deltas) {
    if (delta.type == DeltaType::deleted) {
      if (Result<> removed = remove(delta, changes); !removed) return removed;
    } else {
      upsert(delta, popped.is_in_initial_list, changes);
    }
  }
  return flush();
}

void DeltaApplier::upsert(Delta& delta, bool initial, std::vector<Change>& changes) {
  std::string key = delta.object->key();
  const ObjectPtr old = stored(key);
  if (strict() && delta.type == DeltaType::sync) {
    if (old) remind_of(old, delta.origin, changes);
    return;
  }
  // A single object of a list is not refused for its age: the reflector has seen to it that a list
  // is not older than what it watched, unless the server was set back.
  const bool from_list = delta.type == DeltaType::replaced;
  const ObjectPtr kept = settle(old, delta.object, delta.origin, initial, from_list, changes);
  if (kept == old) return;
  writes_.push_back({old ? StoreWrite::Type::update : StoreWrite::Type::add, kept});
  written_keys_.push_back(std::move(key));
}

Result<> DeltaApplier::remove(Delta& delta, std::vector<Change>& changes) {
  std::string key = delta.is_tombstone ? delta.key : delta.object->key();
  const ObjectPtr old = stored(key);
  if (strict()) {
    if (!old) {
      InformerCounters::count(counters_.unknown_deletions);
      return {};
    }
    // The end of an earlier object of this name, told late. The end of this one is believed
    // whatever its version: better than to hold for ever what is gone.
    if (!delta.is_tombstone && is_other_object(*old, *delta.object) &&
        is_older_version(delta.object->resource_version(), old->resource_version())) {
      InformerCounters::count(counters_.version_regressions);
      return {};
    }
  }
  const ObjectPtr last = strict() && delta.is_tombstone ? old : delta.object;
  changes.push_back(deletion(key, last, delta.is_tombstone, delta.origin));
  if (delta.is_tombstone) {
    if (Result<> flushed = flush(); !flushed) return flushed;
    return indexer_.remove(DeletedObject{std::move(key), std::move(delta.object)});
  }
  writes_.push_back({StoreWrite::Type::remove, delta.object});
  written_keys_.push_back(std::move(key));
  return {};
}

ObjectPtr DeltaApplier::settle(const ObjectPtr& old, const ObjectPtr& object, const Origin& origin,
                               bool initial, bool set_back, std::vector<Change>& changes) {
  if (!old) {
    changes.push_back(addition(object, initial, false, origin));
    return object;
  }
  if (!strict()) {
    const bool is_sync = old->resource_version() == object->resource_version();
    changes.push_back(modification(old, object, origin, is_sync));
    return object;
  }
  if (is_same_state(*old, *object)) {
    InformerCounters::count(counters_.unchanged);
    return old;
  }
  if (!set_back && is_older_version(object->resource_version(), old->resource_version())) {
    InformerCounters::count(counters_.version_regressions);
    return old;
  }
  if (is_other_object(*old, *object)) {
    changes.push_back(deletion(old->key(), old, true, origin));
    changes.push_back(addition(object, initial, true, origin));
  } else {
    changes.push_back(modification(old, object, origin, false));
  }
  return object;
}

void DeltaApplier::remind_of(const ObjectPtr& object, const Origin& origin,
                             std::vector<Change>& changes) {
  changes.push_back(modification(object, object, origin, true));
}

void DeltaApplier::remind_of_all(const Origin& origin, std::vector<Change>& changes) {
  for (const ObjectPtr& object : indexer_.list()) remind_of(object, origin, changes);
}

Result<> DeltaApplier::apply_list(Delta& delta, bool initial, std::vector<Change>& changes) {
  std::vector<ObjectPtr>& objects = delta.objects;
  const std::size_t changes_before = changes.size();
  std::vector<std::string> keys;
  keys.reserve(objects.size());
  std::unordered_map<std::string_view, std::size_t> listed;  // key to its last position
  listed.reserve(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    listed.insert_or_assign(keys.emplace_back(objects[i]->key()), i);
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
  // What a list says of an object that is not newer than the list is the state of the server, even
  // if it is older than ours: a server that was restored from a backup and has written on since.
  const auto is_believed = [&](const ObjectPtr& old) {
    return set_back || (old && !is_older_version(delta.resource_version, old->resource_version()));
  };
  std::vector<ObjectPtr> content;
  content.reserve(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (strict() && listed.at(keys[i]) != i) continue;  // the last of equal keys counts
    const ObjectPtr old = indexer_.get_by_key(keys[i]);
    content.push_back(settle(old, objects[i], delta.origin, initial, is_believed(old), changes));
  }
  if (strict() && changes.size() == changes_before) {  // all that is stored stays as it is
    indexer_.bookmark(std::move(delta.resource_version));
    return {};
  }
  return indexer_.replace(content, std::move(delta.resource_version));
}

ObjectPtr DeltaApplier::stored(std::string_view key) const {
  if (distinct_keys_) return indexer_.get_by_key(key);
  for (std::size_t i = written_keys_.size(); i-- > 0;) {
    if (written_keys_[i] != key) continue;
    return writes_[i].type == StoreWrite::Type::remove ? ObjectPtr() : writes_[i].object;
  }
  return indexer_.get_by_key(key);
}

Result<> DeltaApplier::flush() {
  if (writes_.empty()) return {};
  const TransactionReport report = indexer_.transaction(writes_);
  writes_.clear();
  written_keys_.clear();
  if (!report.ok()) return std::unexpected(report.error());
  return {};
}

}  // namespace kinf
