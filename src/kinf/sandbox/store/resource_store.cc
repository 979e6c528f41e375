// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/store/resource_store.h"

#include <algorithm>
#include <utility>

namespace kinf::sandbox {

ObjectKey key_of(const Json& object) {
  return {text(field(object, "metadata", "namespace")), name_of(object)};
}

std::shared_ptr<StoredObject> stored_object(ObjectKey key, std::uint64_t version, Json json) {
  auto object = std::make_shared<StoredObject>();
  object->key = std::move(key);
  object->version = version;
  object->text = to_text(json);
  object->json = std::move(json);
  return object;
}

std::uint64_t ResourceStore::version() const {
  MutexLock lock(mu_);
  return version_;
}

std::vector<std::string> ResourceStore::changed_types(std::uint64_t after) const {
  MutexLock lock(mu_);
  std::vector<std::string> types;
  for (const auto& [type, each] : collections_) {
    if (each.newest > after) types.push_back(type);
  }
  return types;
}

ResourceStore::Collection& ResourceStore::collection(std::string_view type) const {
  const auto found = collections_.find(type);
  if (found != collections_.end()) return found->second;
  Collection& added = collections_.try_emplace(std::string(type)).first->second;
  added.oldest = restored_;
  return added;
}

void ResourceStore::restore(std::uint64_t version, const std::vector<LoggedObject>& objects,
                            ChangeLog* log) {
  MutexLock lock(mu_);
  version_ = std::max(version_, version);
  restored_ = version;
  for (const LoggedObject& each : objects) {
    Collection& into = collection(each.type);
    into.objects[each.object->key] = each.object;
    into.newest = version_;
  }
  log_ = log;
}

StoredPtr ResourceStore::get(std::string_view type, const ObjectKey& key) const {
  MutexLock lock(mu_);
  const auto& objects = collection(type).objects;
  const auto found = objects.find(key);
  return found == objects.end() ? nullptr : found->second;
}

StoredPtr ResourceStore::record(std::string_view type, Collection& into, StoredChangeType change,
                                const ObjectKey& key, Json object, StoredPtr old) {
  const std::uint64_t version = version_ + 1;
  object["metadata"]["resourceVersion"] = std::to_string(version);
  StoredPtr result = stored_object(key, version, std::move(object));
  const StoredChange made{change, version, result, std::move(old)};
  saves_ = log_ == nullptr || log_->append(type, made);
  if (!saves_) return nullptr;
  version_ = version;
  if (change == StoredChangeType::deleted) {
    into.objects.erase(key);
  } else {
    into.objects[key] = result;
  }
  publish(into, made);
  return result;
}

void ResourceStore::wake(const Collection& changed) {
  for (ChangeListener* listener : changed.listeners) listener->changed();
}

void ResourceStore::publish(Collection& into, StoredChange change) {
  into.newest = change.version;
  into.window.push_back(std::move(change));
  if (into.window.size() > window_) {
    into.oldest = into.window.front().version;
    into.window.pop_front();
  }
  if (log_ != nullptr && log_->is_long()) shorten_log();
  wake(into);
  any_changed_.notify_all();
}

void ResourceStore::replay(std::string_view type, StoredPtr object, bool is_gone) {
  MutexLock lock(mu_);
  Collection& into = collection(type);
  const auto found = into.objects.find(object->key);
  StoredPtr old = found == into.objects.end() ? nullptr : found->second;
  if (is_gone && old == nullptr) return;
  version_ = std::max(version_ + 1, object->version);
  StoredChangeType change = old == nullptr ? StoredChangeType::added : StoredChangeType::modified;
  if (is_gone) {
    change = StoredChangeType::deleted;
    into.objects.erase(found);
  } else {
    into.objects[object->key] = object;
  }
  publish(into, {change, version_, std::move(object), std::move(old)});
}

void ResourceStore::shorten_log() {
  std::vector<LoggedObject> all;
  for (const auto& [name, each] : collections_) {
    for (const auto& [key, object] : each.objects) all.push_back({name, object});
  }
  log_->rewrite(version_, all);
}

StoredPtr ResourceStore::write(std::string_view type, StoredChangeType change, const ObjectKey& key,
                               Json object, std::optional<std::uint64_t> expected) {
  StoredPtr stored;
  ChangeLog* log = nullptr;
  {
    MutexLock lock(mu_);
    Collection& into = collection(type);
    const auto found = into.objects.find(key);
    StoredPtr old = found == into.objects.end() ? nullptr : found->second;
    if (expected ? old == nullptr || old->version != *expected : old != nullptr) return nullptr;
    stored = record(type, into, change, key, std::move(object), std::move(old));
    log = log_;
  }
  if (log != nullptr) log->report_problem();
  return stored;
}

bool ResourceStore::saves() const {
  MutexLock lock(mu_);
  return saves_;
}

Snapshot ResourceStore::list(std::string_view type) const {
  MutexLock lock(mu_);
  Snapshot snapshot;
  snapshot.version = version_;
  for (const auto& [key, object] : collection(type).objects) snapshot.objects.push_back(object);
  return snapshot;
}

std::expected<Snapshot, VersionProblem> ResourceStore::list_at(std::string_view type,
                                                               std::uint64_t version) const {
  MutexLock lock(mu_);
  const Collection& from = collection(type);
  if (version > version_) return std::unexpected(VersionProblem::future);
  if (version < from.oldest) return std::unexpected(VersionProblem::expired);
  std::map<ObjectKey, StoredPtr> objects = from.objects;
  for (auto change = from.window.rbegin();
       change != from.window.rend() && change->version > version; ++change) {
    if (change->old == nullptr) {
      objects.erase(change->object->key);
    } else {
      objects[change->object->key] = change->old;
    }
  }
  Snapshot snapshot{version, {}};
  for (auto& [key, object] : objects) snapshot.objects.push_back(std::move(object));
  return snapshot;
}

ChangeBatch ResourceStore::changes_after(std::string_view type, std::uint64_t after) const {
  constexpr std::size_t kBatch = 256;
  MutexLock lock(mu_);
  const Collection& from = collection(type);
  ChangeBatch batch;
  batch.bookmark_rounds = bookmark_rounds_;
  if (after < from.oldest) {
    batch.expired = true;
    batch.oldest = from.oldest;
    return batch;
  }
  auto next =
      std::upper_bound(from.window.begin(), from.window.end(), after,
                       [](std::uint64_t v, const StoredChange& c) { return v < c.version; });
  while (next != from.window.end() && batch.changes.size() < kBatch) {
    batch.changes.push_back(*next++);
  }
  batch.has_more = next != from.window.end();
  batch.version = batch.has_more ? batch.changes.back().version : std::max(version_, after);
  return batch;
}

void ResourceStore::subscribe(std::string_view type, ChangeListener& listener) {
  MutexLock lock(mu_);
  collection(type).listeners.insert(&listener);
}

void ResourceStore::unsubscribe(std::string_view type, ChangeListener& listener) {
  MutexLock lock(mu_);
  collection(type).listeners.erase(&listener);
}

void ResourceStore::wait_any(std::uint64_t after, Clock::Mono deadline,
                             const std::stop_token& stop) {
  MutexLock lock(mu_);
  while (version_ <= after && !stop.stop_requested() && clock_.now() < deadline) {
    clock_.wait_until(any_changed_, mu_, deadline, stop);
  }
}

std::uint64_t ResourceStore::bookmark_rounds() const {
  MutexLock lock(mu_);
  return bookmark_rounds_;
}

void ResourceStore::request_bookmarks() {
  MutexLock lock(mu_);
  ++bookmark_rounds_;
  for (auto& [type, each] : collections_) wake(each);
}

std::uint64_t ResourceStore::version_above(std::uint64_t version) {
  MutexLock lock(mu_);
  version_ = std::max(version_, version + 1);
  return version_;
}

void ResourceStore::compact() {
  MutexLock lock(mu_);
  for (auto& [type, each] : collections_) {
    each.window.clear();
    each.oldest = version_;
    wake(each);
  }
}

}  // namespace kinf::sandbox
