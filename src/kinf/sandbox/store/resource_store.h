// SPDX-License-Identifier: Apache-2.0
// ResourceStore: plays the role of etcd and of the API server's watch cache. Stores objects by key,
// has one version counter for all types, and keeps a window of recent changes per type. It does not
// interpret objects; ObjectService does.
#pragma once

#include <cstdint>
#include <deque>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// One version of an object. Immutable and shared.
struct StoredObject {
  ObjectKey key;
  std::uint64_t version = 0;  ///< the resourceVersion as a number; 0 if it is not a number
  Json json;
  std::string text;  ///< `json` as compact text
  /// The cells of a recorded Table row, as the text of a JSON array, and their columns. Empty and
  /// null if the object has no recorded row.
  std::string cells{};
  std::shared_ptr<const TableColumns> columns{};
};
using StoredPtr = std::shared_ptr<const StoredObject>;

/// Returns the key of an object from the namespace and name in its metadata.
ObjectKey key_of(const Json& object);
/// Makes an object from its key, version and document.
std::shared_ptr<StoredObject> stored_object(ObjectKey key, std::uint64_t version, Json json);

enum class StoredChangeType { added, modified, deleted };

struct StoredChange {
  StoredChangeType type = StoredChangeType::added;
  std::uint64_t version = 0;
  StoredPtr object;  ///< the new state; for a deletion, the last state with the deletion's version
  StoredPtr old;     ///< the previous state; null for an addition
};

/// An object with its type, as a ChangeLog saves it.
struct LoggedObject {
  std::string type;  ///< the storage key of the type, such as `pods`
  StoredPtr object;
};

/// Receives all changes in order to save them.
class ChangeLog {
 public:
  virtual ~ChangeLog() = default;
  /// Called for each change before it is made, in version order, with the store's lock held.
  /// Returns false if the change cannot be saved, so that the store must refuse it.
  virtual bool append(std::string_view type, const StoredChange& change) = 0;
  /// Returns whether the log should be rewritten. Called with the lock held.
  virtual bool is_long() const = 0;
  /// Replaces the contents of the log with `objects`, the state at `version`. Called with the lock
  /// held.
  virtual void rewrite(std::uint64_t version, const std::vector<LoggedObject>& objects) = 0;
  /// Reports errors of append() and rewrite(). Called after each change, without a lock.
  virtual void report_problem() = 0;
};

/// All objects of a type at one version, sorted by key.
struct Snapshot {
  std::uint64_t version = 0;
  std::vector<StoredPtr> objects;
};

/// Why list_at() fails: the version's history was dropped, or the version does not exist yet.
enum class VersionProblem { expired, future };

/// Receives a notification when there may be changes to read.
class ChangeListener {
 public:
  virtual ~ChangeListener() = default;
  /// Called with the store's lock held, so an implementation must not wait and must not call the
  /// store.
  virtual void changed() = 0;
};

/// What changes_after() returns.
struct ChangeBatch {
  bool expired = false;      ///< the history after the requested version was dropped
  std::uint64_t oldest = 0;  ///< if `expired`: the oldest version that is available
  std::vector<StoredChange> changes;
  std::uint64_t version = 0;          ///< the batch contains all changes up to this version
  bool has_more = false;              ///< whether there are later changes
  std::uint64_t bookmark_rounds = 0;  ///< number of request_bookmarks() calls so far
};

/// Threads: all functions may be called from any thread.
class ResourceStore {
 public:
  /// Keeps the last `window` changes of each type. `clock` must outlive the store.
  explicit ResourceStore(Clock& clock, std::size_t window = 4096)
      : clock_(clock), window_(window) {}

  /// Loads saved objects and continues from `version`. Passes later changes to `log`, which must
  /// outlive the last change. Call once, before any other function.
  void restore(std::uint64_t version, const std::vector<LoggedObject>& objects, ChangeLog* log);

  std::uint64_t version() const;
  /// Returns the types whose objects were changed or restored after version `after`.
  std::vector<std::string> changed_types(std::uint64_t after) const;

  StoredPtr get(std::string_view type, const ObjectKey& key) const;
  /// Stores the object with the next version and sets its metadata.resourceVersion. Returns null if
  /// the key exists or if the log cannot save the change (see saves()).
  StoredPtr create(std::string_view type, const ObjectKey& key, Json object) {
    return write(type, StoredChangeType::added, key, std::move(object), std::nullopt);
  }
  /// Like create(), but replaces an object. Returns null unless the stored version is `expected`.
  StoredPtr update(std::string_view type, const ObjectKey& key, Json object,
                   std::uint64_t expected) {
    return write(type, StoredChangeType::modified, key, std::move(object), expected);
  }
  /// Stores an object from another server, with the resourceVersion that it has there. If `is_gone`
  /// is true, removes the object instead; `object` is then its last state. The change gets the same
  /// version, or the next version of the store if the store has already reached that version.
  void replay(std::string_view type, StoredPtr object, bool is_gone);
  /// Removes the object. Watchers receive `last` as its last state. Returns null unless the stored
  /// version is `expected`.
  StoredPtr remove(std::string_view type, const ObjectKey& key, Json last, std::uint64_t expected) {
    return write(type, StoredChangeType::deleted, key, std::move(last), expected);
  }

  /// Returns false if the store refused the last change because the log could not save it.
  bool saves() const;

  Snapshot list(std::string_view type) const;
  /// Returns the objects as they were at `version`. Fails if the history since then was dropped or
  /// if `version` does not exist yet.
  std::expected<Snapshot, VersionProblem> list_at(std::string_view type,
                                                  std::uint64_t version) const;

  /// Returns at most 256 changes of `type` after version `after`. Does not wait.
  ChangeBatch changes_after(std::string_view type, std::uint64_t after) const;
  /// Notifies `listener` when `type` changes, its history is dropped, or request_bookmarks() is
  /// called. May also notify without a reason.
  void subscribe(std::string_view type, ChangeListener& listener);
  /// After unsubscribe() returns, `listener` is not called again. Does nothing if it is not
  /// subscribed.
  void unsubscribe(std::string_view type, ChangeListener& listener);
  /// Blocks until any type changes after version `after`, `deadline` is reached, or `stop` is
  /// requested.
  void wait_any(std::uint64_t after, Clock::Mono deadline, const std::stop_token& stop);
  std::uint64_t bookmark_rounds() const;
  /// Wakes all listeners, so that watches send a bookmark.
  void request_bookmarks();
  /// Returns the current version. Raises it above `version` first, as a change of a type that
  /// is not watched does.
  std::uint64_t version_above(std::uint64_t version);
  /// Drops all changes, like an etcd compaction. Older versions expire.
  void compact();

 private:
  struct Collection {
    std::map<ObjectKey, StoredPtr> objects;
    std::deque<StoredChange> window;
    std::uint64_t oldest = 0;  ///< changes up to this version may have been dropped
    std::uint64_t newest = 0;  ///< the version of the last change
    std::set<ChangeListener*> listeners;
  };

  Collection& collection(std::string_view type) const KINF_REQUIRES(mu_);
  static void wake(const Collection& changed);
  /// Adds a change to the window, and wakes the listeners.
  void publish(Collection& into, StoredChange change) KINF_REQUIRES(mu_);
  StoredPtr record(std::string_view type, Collection& into, StoredChangeType change,
                   const ObjectKey& key, Json object, StoredPtr old) KINF_REQUIRES(mu_);
  StoredPtr write(std::string_view type, StoredChangeType change, const ObjectKey& key, Json object,
                  std::optional<std::uint64_t> expected);
  void shorten_log() KINF_REQUIRES(mu_);

  Clock& clock_;
  const std::size_t window_;  ///< number of changes kept per type
  mutable Mutex mu_;
  mutable std::map<std::string, Collection, std::less<>> collections_ KINF_GUARDED_BY(mu_);
  std::uint64_t version_ KINF_GUARDED_BY(mu_) = 1;
  CondVar any_changed_;
  std::uint64_t restored_ KINF_GUARDED_BY(mu_) = 0;  ///< earlier versions are expired for all types
  ChangeLog* log_ KINF_GUARDED_BY(mu_) = nullptr;
  bool saves_ KINF_GUARDED_BY(mu_) = true;
  std::uint64_t bookmark_rounds_ KINF_GUARDED_BY(mu_) = 0;
};

}  // namespace kinf::sandbox
