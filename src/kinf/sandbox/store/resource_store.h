// SPDX-License-Identifier: Apache-2.0
// ResourceStore: what etcd and the watch cache are to a real server: objects under keys, one
// counter of versions over all of them, and for each type a window of its latest changes. Knows
// nothing of what objects mean; ObjectService does.
#pragma once

#include <cstdint>
#include <deque>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object_key.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// One version of one object; immutable and shared.
struct StoredObject {
  ObjectKey key;
  std::uint64_t version = 0;
  Json json;
  std::string text;  ///< the document
};
using StoredPtr = std::shared_ptr<const StoredObject>;

enum class ChangeType { added, modified, deleted };

struct Change {
  ChangeType type = ChangeType::added;
  std::uint64_t version = 0;
  StoredPtr object;  ///< the new state; of a deletion the last one, under the new version
  StoredPtr old;     ///< the state before; null if there was none
};

/// An object with the type under which it is stored.
struct LoggedObject {
  std::string type;
  StoredPtr object;
};

/// Where a store's changes are kept beyond its life.
class ChangeLog {
 public:
  virtual ~ChangeLog() = default;
  /// Called with the store's lock held, in the order of the changes.
  virtual void append(std::string_view type, const Change& change) = 0;
  /// Likewise: the log is much longer than what it says, and wants to be rewritten.
  virtual bool is_long() const = 0;
  virtual void rewrite(std::uint64_t version, const std::vector<LoggedObject>& objects) = 0;
  /// Called after a change, without any lock: time to say what went wrong.
  virtual void report_problem() = 0;
};

/// The objects of one type at one version, in the order of their keys.
struct Snapshot {
  std::uint64_t version = 0;
  std::vector<StoredPtr> objects;
};

/// Why a version cannot be listed: its history is gone, or it is yet to come.
enum class VersionProblem { expired, future };

/// What a watcher got to see.
struct ChangeBatch {
  bool expired = false;      ///< changes after the version asked for are forgotten
  std::uint64_t oldest = 0;  ///< expired: the first version that could have been asked for
  std::vector<Change> changes;
  std::uint64_t version = 0;          ///< every change up to here has been handed out
  std::uint64_t bookmark_rounds = 0;  ///< how often request_bookmarks() was called
};

/// Threads: every call from any thread.
class ResourceStore {
 public:
  /// `window`: how many changes are remembered per type.
  explicit ResourceStore(Clock& clock, std::size_t window = 4096)
      : clock_(clock), window_(window) {}

  /// Takes what was kept and goes on from its version; each further change goes to `log`, which
  /// must outlive the store's last change. Once, at the beginning.
  void restore(std::uint64_t version, const std::vector<LoggedObject>& objects, ChangeLog* log);

  std::uint64_t version() const;

  StoredPtr get(std::string_view type, const ObjectKey& key) const;
  /// Stores under the next version, which is put into the object's metadata. Null if the key is
  /// taken.
  StoredPtr create(std::string_view type, const ObjectKey& key, Json object) {
    return write(type, ChangeType::added, key, std::move(object), std::nullopt);
  }
  /// Null unless the stored object has version `expected`.
  StoredPtr update(std::string_view type, const ObjectKey& key, Json object,
                   std::uint64_t expected) {
    return write(type, ChangeType::modified, key, std::move(object), expected);
  }
  /// Takes the object away; `last` is what watchers get to see of it. Null as of update().
  StoredPtr remove(std::string_view type, const ObjectKey& key, Json last, std::uint64_t expected) {
    return write(type, ChangeType::deleted, key, std::move(last), expected);
  }

  Snapshot list(std::string_view type) const;
  /// The state as it was at `version`, as far as the window reaches back.
  std::expected<Snapshot, VersionProblem> list_at(std::string_view type,
                                                  std::uint64_t version) const;

  /// Blocks until there is a change of `type` after `after`, until something was bookmark_rounds
  /// more often than `bookmark_rounds` times, until `deadline` or stop.
  ChangeBatch wait_changes(std::string_view type, std::uint64_t after,
                           std::uint64_t bookmark_rounds, Clock::Mono deadline,
                           const std::stop_token& stop);
  std::uint64_t bookmark_rounds() const;
  /// Wakes all watchers, so that they can tell their clients how far they are.
  void request_bookmarks();
  /// Forgets all changes, as a compaction and a restart do: older versions are expired.
  void compact();

 private:
  struct Collection {
    std::map<ObjectKey, StoredPtr> objects;
    std::deque<Change> window;
    std::uint64_t oldest = 0;  ///< changes up to this version may be forgotten
    CondVar changed;
  };

  Collection& collection(std::string_view type) const KINF_REQUIRES(mu_);
  StoredPtr record(std::string_view type, Collection& into, ChangeType change, const ObjectKey& key,
                   Json object, StoredPtr old) KINF_REQUIRES(mu_);
  StoredPtr write(std::string_view type, ChangeType change, const ObjectKey& key, Json object,
                  std::optional<std::uint64_t> expected);
  void append_to_log(std::string_view type, const Change& change) KINF_REQUIRES(mu_);

  Clock& clock_;
  const std::size_t window_;
  mutable Mutex mu_;
  mutable std::map<std::string, Collection, std::less<>> collections_ KINF_GUARDED_BY(mu_);
  std::uint64_t version_ KINF_GUARDED_BY(mu_) = 1;
  std::uint64_t restored_ KINF_GUARDED_BY(mu_) = 0;  ///< what was before this is forgotten
  ChangeLog* log_ KINF_GUARDED_BY(mu_) = nullptr;
  std::uint64_t bookmark_rounds_ KINF_GUARDED_BY(mu_) = 0;
};

}  // namespace kinf::sandbox
