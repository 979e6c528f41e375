// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/index_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinf {

ObjectPtr IndexTable::find(std::string_view key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : found->second.object;
}

void IndexTable::for_each(
    const std::function<void(const std::string&, const ObjectPtr&)>& visit) const {
  for (const auto& [key, content] : entries_) visit(key, content.object);
}

std::vector<std::string> IndexTable::index_names() const {
  std::vector<std::string> names;
  for (const Index& index : indices_) names.push_back(index.name);
  return names;
}

bool IndexTable::for_each_in_index(
    std::string_view index_name, std::string_view value,
    const std::function<void(const std::string&, const ObjectPtr&)>& visit) const {
  const auto position = position_of(index_name);
  if (!position) return false;
  const auto& buckets = indices_[*position].buckets;
  const auto bucket = buckets.find(value);
  if (bucket == buckets.end()) return true;
  for (const Entry* entry : bucket->second) visit(entry->first, entry->second.object);
  return true;
}

bool IndexTable::for_each_value(
    std::string_view index_name,
    const std::function<void(const std::string&, std::size_t)>& visit) const {
  const auto position = position_of(index_name);
  if (!position) return false;
  for (const auto& [value, entries] : indices_[*position].buckets) visit(value, entries.size());
  return true;
}

Result<std::vector<ObjectPtr>> IndexTable::any_of(std::string_view index_name,
                                                  std::span<const std::string> values) const {
  const Result<const Index*> index = index_named(index_name);
  if (!index) return std::unexpected(index.error());
  std::vector<ObjectPtr> objects;
  std::unordered_set<const Entry*> seen;
  for (const std::string& value : values) {
    const auto bucket = (*index)->buckets.find(value);
    if (bucket == (*index)->buckets.end()) continue;
    for (const Entry* entry : bucket->second) {
      if (values.size() == 1 || seen.insert(entry).second) objects.push_back(entry->second.object);
    }
  }
  return objects;
}

Result<std::vector<ObjectPtr>> IndexTable::select(
    std::span<const IndexCondition> conditions) const {
  std::vector<const std::unordered_set<const Entry*>*> sets;
  bool impossible = false;
  for (const IndexCondition& condition : conditions) {
    const Result<const Index*> index = index_named(condition.index_name);
    if (!index) return std::unexpected(index.error());
    const auto bucket = (*index)->buckets.find(condition.value);
    if (bucket == (*index)->buckets.end()) {
      impossible = true;
    } else {
      sets.push_back(&bucket->second);
    }
  }
  std::vector<ObjectPtr> objects;
  if (impossible) return objects;
  if (sets.empty()) {
    objects.reserve(size());
    for (const auto& entry : entries_) objects.push_back(entry.second.object);
    return objects;
  }
  std::sort(sets.begin(), sets.end(),
            [](const auto* a, const auto* b) { return a->size() < b->size(); });
  for (const Entry* entry : *sets.front()) {
    const bool in_all = std::all_of(sets.begin() + 1, sets.end(),
                                    [&](const auto* set) { return set->contains(entry); });
    if (in_all) objects.push_back(entry->second.object);
  }
  return objects;
}

void IndexTable::add_index(std::string name) {
  indices_.push_back({std::move(name), {}});
  for (auto& entry : entries_) entry.second.buckets.resize(indices_.size());
}

ObjectPtr IndexTable::put(std::string_view key, ObjectPtr object, const Values& values) {
  auto found = entries_.find(key);
  if (found == entries_.end()) {
    found = entries_.emplace(std::string(key), Content{}).first;
    found->second.buckets.resize(indices_.size());
  }
  Entry& entry = *found;
  std::swap(entry.second.object, object);
  for (std::size_t i = 0; i < indices_.size(); ++i) place(entry, i, values[i]);
  return object;
}

void IndexTable::set_values(std::string_view key, std::size_t position,
                            const std::vector<std::string>& values) {
  const auto found = entries_.find(key);
  if (found != entries_.end()) place(*found, position, values);
}

ObjectPtr IndexTable::erase(std::string_view key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  for (std::size_t i = 0; i < indices_.size(); ++i) displace(*found, i);
  ObjectPtr object = std::move(found->second.object);
  entries_.erase(found);
  return object;
}

std::optional<std::size_t> IndexTable::position_of(std::string_view name) const {
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    if (indices_[i].name == name) return i;
  }
  return std::nullopt;
}

Result<const IndexTable::Index*> IndexTable::index_named(std::string_view name) const {
  const auto position = position_of(name);
  if (!position) {
    return fail(ErrorKind::usage, fmt::format("Index with name {} does not exist", name));
  }
  return &indices_[*position];
}

void IndexTable::place(Entry& entry, std::size_t position, const std::vector<std::string>& values) {
  std::vector<Bucket*>& own = entry.second.buckets[position];
  const bool same = std::equal(
      own.begin(), own.end(), values.begin(), values.end(),
      [](const Bucket* bucket, const std::string& value) { return bucket->first == value; });
  if (same) return;
  displace(entry, position);
  own.reserve(values.size());
  for (const std::string& value : values) {
    Bucket& bucket = *indices_[position].buckets.try_emplace(value).first;
    if (bucket.second.insert(&entry).second) own.push_back(&bucket);
  }
}

void IndexTable::displace(Entry& entry, std::size_t position) {
  auto& buckets = indices_[position].buckets;
  for (Bucket* bucket : entry.second.buckets[position]) {
    bucket->second.erase(&entry);
    if (bucket->second.empty()) buckets.erase(buckets.find(bucket->first));
  }
  entry.second.buckets[position].clear();
}

}  // namespace kinf
