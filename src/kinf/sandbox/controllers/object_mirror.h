// SPDX-License-Identifier: Apache-2.0
// ObjectMirror: the controllers' copy of the store, with the dependents of each owner. It changes
// only in sync(), so that all reads between two calls of sync() see the same state.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

/// Identifies an object by the storage key of its type, such as `pods`, and its namespace and name.
using ObjectId = std::pair<std::string, ObjectKey>;

struct MirrorChange {
  ObjectId id;
  StoredPtr now;  ///< the new state; null if the object was deleted
  StoredPtr old;  ///< the previous state in the mirror; null if the object is new

  /// Returns the uid of the old object if it was deleted, even if another object has its name now.
  /// Otherwise returns an empty string.
  std::string gone_uid() const;
};

/// Threads: not thread-safe.
class ObjectMirror {
 public:
  using Objects = std::map<ObjectKey, StoredPtr>;

  explicit ObjectMirror(ResourceStore& store) : store_(store) {}

  /// Restricts the mirror to objects of this type. Call before sync().
  void restrict_to(const std::string& type) { only_ = type; }

  /// Reads the changes of the store since the last call. If the store has dropped its history,
  /// compares all objects instead.
  std::vector<MirrorChange> sync();
  /// Returns the version up to which sync() has read all changes.
  std::uint64_t version() const { return version_; }

  const Objects& all(std::string_view type) const;
  StoredPtr find(std::string_view type, const ObjectKey& key) const;
  /// Returns the object with this uid, or null.
  StoredPtr find_uid(const std::string& uid) const;
  /// Returns the id of the object with this uid. Empty if there is none.
  ObjectId id_of(const std::string& uid) const;
  /// Returns the objects with an owner reference to `uid`, sorted by type and key.
  std::vector<std::pair<ObjectId, StoredPtr>> dependents(const std::string& uid) const;
  /// Returns the objects of a type whose controller is `uid`, sorted by key.
  std::vector<StoredPtr> controlled(std::string_view type, const std::string& uid) const;
  /// Returns the ids of the objects in a namespace.
  std::vector<ObjectId> in_namespace(const std::string& ns) const;

 private:
  struct Collection {
    Objects objects;
    std::uint64_t version = 0;
    bool is_listed = false;
  };

  void sync_type(const std::string& type, std::vector<MirrorChange>& changes);
  void relist(const std::string& type, Collection& collection, std::vector<MirrorChange>& changes);
  void apply(const std::string& type, Objects& objects, const ObjectKey& key, const StoredPtr& now,
             std::vector<MirrorChange>& changes);

  ResourceStore& store_;
  std::map<std::string, Collection, std::less<>> collections_;
  std::map<std::string, ObjectId> by_uid_;
  std::map<std::string, std::set<ObjectId>> dependents_;  ///< dependents, by the owner's uid
  std::uint64_t version_ = 0;
  std::string only_;  ///< the only type to mirror; empty means all types
};

/// Returns the owner reference with `controller: true`, or null.
const Json& controller_reference(const Json& object);

}  // namespace kinf::sandbox
