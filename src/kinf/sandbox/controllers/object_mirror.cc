// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/object_mirror.h"

namespace kinf::sandbox {
const Json& controller_reference(const Json& object) {
  static const Json none;
  for (const Json& owner : owners_of(object)) {
    if (field(owner, "controller") == Json(true)) return owner;
  }
  return none;
}

std::string MirrorChange::gone_uid() const {
  if (old == nullptr) return "";
  const std::string uid = uid_of(old->json);
  return now != nullptr && uid_of(now->json) == uid ? "" : uid;
}

std::vector<MirrorChange> ObjectMirror::sync() {
  std::vector<MirrorChange> changes;
  // Read the version before the loop, so that the next call finds the types that change during the
  // loop.
  const std::uint64_t version = store_.version();
  for (const std::string& type : store_.changed_types(version_)) {
    if (only_.empty() || type == only_) sync_type(type, changes);
  }
  version_ = version;
  return changes;
}

void ObjectMirror::sync_type(const std::string& type, std::vector<MirrorChange>& changes) {
  Collection& collection = collections_[type];
  if (!collection.is_listed) return relist(type, collection, changes);
  for (;;) {
    const ChangeBatch batch = store_.changes_after(type, collection.version);
    if (batch.expired) return relist(type, collection, changes);
    collection.version = batch.version;
    if (batch.changes.empty()) return;
    for (const StoredChange& change : batch.changes) {
      apply(type, collection.objects, change.object->key,
            change.type == StoredChangeType::deleted ? nullptr : change.object, changes);
    }
  }
}

void ObjectMirror::relist(const std::string& type, Collection& collection,
                          std::vector<MirrorChange>& changes) {
  const Snapshot snapshot = store_.list(type);
  collection.is_listed = true;
  collection.version = snapshot.version;
  std::set<ObjectKey> gone;
  for (const auto& [key, object] : collection.objects) gone.insert(key);
  for (const StoredPtr& object : snapshot.objects) {
    gone.erase(object->key);
    apply(type, collection.objects, object->key, object, changes);
  }
  for (const ObjectKey& key : gone) apply(type, collection.objects, key, nullptr, changes);
}

void ObjectMirror::apply(const std::string& type, Objects& objects, const ObjectKey& key,
                         const StoredPtr& now, std::vector<MirrorChange>& changes) {
  const ObjectId id{type, key};
  const auto found = objects.find(key);
  const StoredPtr old = found == objects.end() ? nullptr : found->second;
  if (old == nullptr ? now == nullptr : now != nullptr && now->version == old->version) return;
  if (old != nullptr) {
    by_uid_.erase(uid_of(old->json));
    for (const Json& owner : owners_of(old->json)) {
      const auto entry = dependents_.find(text(field(owner, "uid")));
      if (entry == dependents_.end()) continue;
      entry->second.erase(id);
      if (entry->second.empty()) dependents_.erase(entry);
    }
  }
  if (now != nullptr) {
    by_uid_[uid_of(now->json)] = id;
    for (const Json& owner : owners_of(now->json)) {
      dependents_[text(field(owner, "uid"))].insert(id);
    }
    objects[key] = now;
  } else {
    objects.erase(key);
  }
  changes.push_back({id, now, old});
}

const ObjectMirror::Objects& ObjectMirror::all(std::string_view type) const {
  static const Objects none;
  const auto found = collections_.find(type);
  return found == collections_.end() ? none : found->second.objects;
}

StoredPtr ObjectMirror::find(std::string_view type, const ObjectKey& key) const {
  const Objects& objects = all(type);
  const auto found = objects.find(key);
  return found == objects.end() ? nullptr : found->second;
}

StoredPtr ObjectMirror::find_uid(const std::string& uid) const {
  const auto found = by_uid_.find(uid);
  return found == by_uid_.end() ? nullptr : find(found->second.first, found->second.second);
}

ObjectId ObjectMirror::id_of(const std::string& uid) const {
  const auto found = by_uid_.find(uid);
  return found == by_uid_.end() ? ObjectId() : found->second;
}

std::vector<std::pair<ObjectId, StoredPtr>> ObjectMirror::dependents(const std::string& uid) const {
  std::vector<std::pair<ObjectId, StoredPtr>> result;
  const auto found = dependents_.find(uid);
  if (found == dependents_.end()) return result;
  for (const ObjectId& id : found->second) result.emplace_back(id, find(id.first, id.second));
  return result;
}

std::vector<StoredPtr> ObjectMirror::controlled(std::string_view type,
                                                const std::string& uid) const {
  std::vector<StoredPtr> result;
  for (auto& [id, object] : dependents(uid)) {
    if (id.first == type && text(field(controller_reference(object->json), "uid")) == uid) {
      result.push_back(object);
    }
  }
  return result;
}

std::vector<ObjectId> ObjectMirror::in_namespace(const std::string& ns) const {
  std::vector<ObjectId> result;
  for (const auto& [type, collection] : collections_) {
    for (auto each = collection.objects.lower_bound({ns, ""});
         each != collection.objects.end() && each->first.ns == ns; ++each) {
      result.emplace_back(type, each->first);
    }
  }
  return result;
}

}  // namespace kinf::sandbox
