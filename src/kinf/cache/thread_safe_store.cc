// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/thread_safe_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/base/quote.h"

namespace kinf {

ThreadSafeStore::ThreadSafeStore(Indexers indexers, Behaviour behaviour) : behaviour_(behaviour) {
  for (auto& [name, function] : indexers) {
    table_.add_index(name);
    functions_.emplace_back(name, std::move(function));
  }
}

Result<void> ThreadSafeStore::add(std::string_view key, ObjectPtr object) {
  ObjectPtr displaced;  // freed after the locks are released
  MutexLock writer(writer_);
  const Result<IndexTable::Values> values = values_of(functions(), key, *object);
  if (!values) return fail(values);
  WriteLock lock(mu_);
  resource_version_ = object->resource_version();
  displaced = table_.put(key, std::move(object), *values);
  return {};
}

Result<void> ThreadSafeStore::update(std::string_view key, ObjectPtr object) {
  return add(key, std::move(object));
}

void ThreadSafeStore::remove(std::string_view key, const Object& object) {
  ObjectPtr removed;
  MutexLock writer(writer_);
  WriteLock lock(mu_);
  removed = table_.erase(key);
  resource_version_ = object.resource_version();
}

void ThreadSafeStore::remove(std::string_view key) {
  ObjectPtr removed;
  MutexLock writer(writer_);
  WriteLock lock(mu_);
  removed = table_.erase(key);
}

Result<void> ThreadSafeStore::replace(std::vector<std::pair<std::string, ObjectPtr>> items,
                                      std::string resource_version) {
  IndexTable table;  // gets the old content by the swap below; freed after the locks are released
  MutexLock writer(writer_);
  for (const auto& [name, function] : functions()) table.add_index(name);
  for (auto& [key, object] : items) {
    const Result<IndexTable::Values> values = values_of(functions(), key, *object);
    if (!values) return fail(values);
    table.put(key, std::move(object), *values);
  }
  WriteLock lock(mu_);
  std::swap(table_, table);
  resource_version_ = std::move(resource_version);
  return {};
}

Result<void> ThreadSafeStore::transaction(std::span<const StoreWrite> writes) {
  std::vector<ObjectPtr> displaced;
  displaced.reserve(writes.size());
  MutexLock writer(writer_);
  std::vector<IndexTable::Values> values(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i].type == StoreWrite::Type::remove) continue;
    Result<IndexTable::Values> computed = values_of(functions(), writes[i].key, *writes[i].object);
    if (!computed) return fail(computed);
    values[i] = std::move(*computed);
  }
  WriteLock lock(mu_);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const StoreWrite& write = writes[i];
    displaced.push_back(write.type == StoreWrite::Type::remove
                            ? table_.erase(write.key)
                            : table_.put(write.key, write.object, values[i]));
    if (write.object) resource_version_ = write.object->resource_version();
  }
  return {};
}

void ThreadSafeStore::bookmark(std::string resource_version) {
  MutexLock writer(writer_);
  WriteLock lock(mu_);
  resource_version_ = std::move(resource_version);
}

Result<void> ThreadSafeStore::add_indexers(Indexers indexers) {
  MutexLock writer(writer_);
  const Indexers present = get_indexers();
  std::string clashes;
  for (const auto& [name, function] : indexers) {
    if (present.contains(name)) clashes.append(clashes.empty() ? "" : " ").append(name + ":{}");
  }
  if (!clashes.empty()) return fail(ErrorKind::usage, "indexer conflict: map[{}]", clashes);

  const Functions added(indexers.begin(), indexers.end());
  // writer_ keeps out other writers, so this copy stays current.
  std::vector<std::pair<std::string, ObjectPtr>> stored;
  with_read_lock([&](const IndexTable& table) {
    table.for_each(
        [&](const std::string& key, const ObjectPtr& object) { stored.emplace_back(key, object); });
  });
  std::vector<IndexTable::Values> values;
  for (const auto& [key, object] : stored) {
    Result<IndexTable::Values> computed = values_of(added, key, *object);
    if (!computed) return fail(computed);
    values.push_back(std::move(*computed));
  }

  WriteLock lock(mu_);
  const std::size_t first = functions_.size();
  for (const auto& [name, function] : added) {
    table_.add_index(name);
    functions_.emplace_back(name, function);
  }
  for (std::size_t i = 0; i < stored.size(); ++i) {
    for (std::size_t k = 0; k < added.size(); ++k) {
      table_.set_values(stored[i].first, first + k, values[i][k]);
    }
  }
  return {};
}

std::vector<std::string> ThreadSafeStore::list_keys() const {
  std::vector<std::string> keys;
  ReadLock lock(mu_);
  keys.reserve(table_.size());
  table_.for_each([&](const std::string& key, const ObjectPtr&) { keys.push_back(key); });
  return keys;
}

ObjectPtr ThreadSafeStore::get_by_key(std::string_view key) const {
  ReadLock lock(mu_);
  return table_.find(key);
}

std::size_t ThreadSafeStore::size() const {
  ReadLock lock(mu_);
  return table_.size();
}

std::vector<ObjectPtr> ThreadSafeStore::list() const {
  std::vector<ObjectPtr> objects;
  ReadLock lock(mu_);
  objects.reserve(table_.size());
  table_.for_each([&](const std::string&, const ObjectPtr& object) { objects.push_back(object); });
  return objects;
}

std::string ThreadSafeStore::last_store_sync_resource_version() const {
  ReadLock lock(mu_);
  return resource_version_;
}

Result<std::vector<ObjectPtr>> ThreadSafeStore::index(std::string_view index_name,
                                                      const Object& object) const {
  const Indexers functions = get_indexers();  // copied so that the function runs without a lock
  std::vector<std::string> values;
  if (const auto found = functions.find(std::string(index_name)); found != functions.end()) {
    Result<std::vector<std::string>> computed = index_values(found->second, object);
    if (!computed) return fail(computed);
    values = std::move(*computed);
  }
  ReadLock lock(mu_);
  return table_.any_of(index_name, values);
}

Result<std::vector<ObjectPtr>> ThreadSafeStore::by_index(std::string_view index_name,
                                                         std::string_view value) const {
  const std::string one(value);
  ReadLock lock(mu_);
  return table_.any_of(index_name, std::span(&one, 1));
}

Result<std::vector<std::string>> ThreadSafeStore::index_keys(std::string_view index_name,
                                                             std::string_view value) const {
  std::vector<std::string> keys;
  bool exists = false;
  {
    ReadLock lock(mu_);
    exists = table_.for_each_in_index(
        index_name, value, [&](const std::string& key, const ObjectPtr&) { keys.push_back(key); });
  }
  if (!exists) return fail(ErrorKind::usage, "Index with name {} does not exist", index_name);
  // The keys are often sorted already, because slots are numbered in the order of the initial list.
  if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
  return keys;
}

std::vector<std::string> ThreadSafeStore::list_index_func_values(
    std::string_view index_name) const {
  std::vector<std::string> values;
  ReadLock lock(mu_);
  table_.for_each_value(index_name,
                        [&](const std::string& value, std::size_t) { values.push_back(value); });
  return values;
}

Indexers ThreadSafeStore::get_indexers() const {
  ReadLock lock(mu_);
  return {functions_.begin(), functions_.end()};
}

void ThreadSafeStore::with_read_lock(const std::function<void(const IndexTable&)>& look) const {
  ReadLock lock(mu_);
  look(table_);
}

Result<IndexTable::Values> ThreadSafeStore::values_of(const Functions& functions,
                                                      std::string_view key, const Object& object) {
  IndexTable::Values values;
  values.reserve(functions.size());
  for (const auto& [name, function] : functions) {
    Result<std::vector<std::string>> computed = index_values(function, object);
    if (!computed) {
      index_errors_.fetch_add(1, std::memory_order_relaxed);
      if (behaviour_ == Behaviour::client_go) {
        return fail(std::move(computed).error().within(
            fmt::format("unable to calculate an index entry for key {} on index {}", quoted(key),
                        quoted(name))));
      }
      computed.emplace();
    }
    values.push_back(std::move(*computed));
  }
  return values;
}

}  // namespace kinf
