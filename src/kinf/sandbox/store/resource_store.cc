// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/resource_store.h"

#include <algorithm>
#include <utility>

namespace kinf::sandbox {

std::uint64_t ResourceStore::version() const {
  MutexLock lock(mu_);
  return version_;
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
    collection(each.type).objects[each.object->key] = each.object;
  }
  log_ = log;
}

StoredPtr ResourceStore::get(std::string_view type, const ObjectKey& key) const {
  MutexLock lock(mu_);
  const auto& objects = collection(type).objects;
  const auto found = objects.find(key);
  return found == objects.end() ? nullptr : found->second;
}

StoredPtr ResourceStore::record(std::string_view type, Collection& into, ChangeType change,
                                const ObjectKey& key, Json object, StoredPtr old) {
  auto stored = std::make_shared<StoredObject>();
  stored->key = key;
  stored->version = ++version_;
  object["metadata"]["resourceVersion"] = std::to_string(stored->version);
  stored->text = to_text(object);
  stored->json = std::move(object);
  StoredPtr result = std::move(stored);
  if (change == ChangeType::deleted) {
    into.objects.erase(key);
  } else {
    into.objects[key] = result;
  }
  into.window.push_back({change, result->version, result, std::move(old)});
  if (log_ != nullptr) keep(type, into.window.back());
  if (into.window.size() > window_) {
    into.oldest = into.window.front().version;
    into.window.pop_front();
  }
  into.changed.notify_all();
  return result;
}

void ResourceStore::keep(std::string_view type, const Change& change) {
  log_->append(type, change);
  if (!log_->is_long()) return;
  std::vector<LoggedObject> all;
  for (const auto& [name, each] : collections_) {
    for (const auto& [key, object] : each.objects) all.push_back({name, object});
  }
  log_->rewrite(version_, all);
}

void ResourceStore::tell_problem() const {
  ChangeLog* log = nullptr;
  {
    MutexLock lock(mu_);
    log = log_;
  }
  if (log != nullptr) log->tell_problem();
}

StoredPtr ResourceStore::create(std::string_view type, const ObjectKey& key, Json object) {
  StoredPtr stored;
  {
    MutexLock lock(mu_);
    Collection& into = collection(type);
    if (into.objects.contains(key)) return nullptr;
    stored = record(type, into, ChangeType::added, key, std::move(object), nullptr);
  }
  tell_problem();
  return stored;
}

StoredPtr ResourceStore::update(std::string_view type, const ObjectKey& key, Json object,
                                std::uint64_t expected) {
  StoredPtr stored;
  {
    MutexLock lock(mu_);
    Collection& into = collection(type);
    const auto found = into.objects.find(key);
    if (found == into.objects.end() || found->second->version != expected) return nullptr;
    stored = record(type, into, ChangeType::modified, key, std::move(object), found->second);
  }
  tell_problem();
  return stored;
}

StoredPtr ResourceStore::remove(std::string_view type, const ObjectKey& key, Json last,
                                std::uint64_t expected) {
  StoredPtr stored;
  {
    MutexLock lock(mu_);
    Collection& from = collection(type);
    const auto found = from.objects.find(key);
    if (found == from.objects.end() || found->second->version != expected) return nullptr;
    stored = record(type, from, ChangeType::deleted, key, std::move(last), found->second);
  }
  tell_problem();
  return stored;
}

Snapshot ResourceStore::list(std::string_view type) const {
  MutexLock lock(mu_);
  Snapshot snapshot;
  snapshot.version = version_;
  for (const auto& [key, object] : collection(type).objects) snapshot.objects.push_back(object);
  return snapshot;
}

Reach ResourceStore::list_at(std::string_view type, std::uint64_t version, Snapshot& into) const {
  MutexLock lock(mu_);
  const Collection& from = collection(type);
  if (version > version_) return Reach::future;
  if (version < from.oldest) return Reach::expired;
  std::map<ObjectKey, StoredPtr> objects = from.objects;
  for (auto change = from.window.rbegin();
       change != from.window.rend() && change->version > version; ++change) {
    if (change->old == nullptr) {
      objects.erase(change->object->key);
    } else {
      objects[change->object->key] = change->old;
    }
  }
  into.version = version;
  into.objects.clear();
  for (auto& [key, object] : objects) into.objects.push_back(std::move(object));
  return Reach::ok;
}

ChangeBatch ResourceStore::wait_changes(std::string_view type, std::uint64_t after,
                                        std::uint64_t announced, Clock::Mono deadline,
                                        const std::stop_token& stop) {
  constexpr std::size_t kMaxBatch = 256;
  MutexLock lock(mu_);
  Collection& from = collection(type);
  for (;;) {
    const bool has_change = !from.window.empty() && from.window.back().version > after;
    if (has_change || after < from.oldest || announced_ > announced || stop.stop_requested() ||
        clock_.now() >= deadline) {
      break;
    }
    clock_.wait_until(from.changed, mu_, deadline, stop);
  }
  ChangeBatch batch;
  batch.announced = announced_;
  if (after < from.oldest) {
    batch.expired = true;
    batch.oldest = from.oldest;
    return batch;
  }
  auto next = std::upper_bound(from.window.begin(), from.window.end(), after,
                               [](std::uint64_t v, const Change& c) { return v < c.version; });
  while (next != from.window.end() && batch.changes.size() < kMaxBatch) {
    batch.changes.push_back(*next++);
  }
  batch.version =
      next == from.window.end() ? std::max(version_, after) : batch.changes.back().version;
  return batch;
}

std::uint64_t ResourceStore::announced() const {
  MutexLock lock(mu_);
  return announced_;
}

void ResourceStore::announce_progress() {
  MutexLock lock(mu_);
  ++announced_;
  for (auto& [type, each] : collections_) each.changed.notify_all();
}

void ResourceStore::compact() {
  MutexLock lock(mu_);
  for (auto& [type, each] : collections_) {
    each.window.clear();
    each.oldest = version_;
    each.changed.notify_all();
  }
}

}  // namespace kinf::sandbox
