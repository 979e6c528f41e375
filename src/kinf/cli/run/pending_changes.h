// SPDX-License-Identifier: Apache-2.0
// PendingChanges: decides which change of each object `kinf run` delivers to the command next. It
// compares states and keeps no history.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Identifies an object.
struct RunKey {
  const ResourceType* type = nullptr;
  std::string key;        ///< `namespace/name`, or `name`
  std::string cluster{};  ///< name of the context; empty if the command uses only one

  friend bool operator==(const RunKey&, const RunKey&) = default;
};

}  // namespace kinf

template <>
struct std::hash<kinf::RunKey> {
  std::size_t operator()(const kinf::RunKey& key) const {
    return std::hash<std::string>()(key.key) ^ std::hash<const void*>()(key.type);
  }
};

namespace kinf {

/// Returns whether both changes have the same type and the same object UID and resourceVersion.
bool is_same(const Change& a, const Change& b);

/// An object that is created and deleted before its command starts causes no run. An object that is
/// deleted and created again causes two runs: for the deletion, then for the creation.
///
/// The states of a key:
/// - The first changed() or set_delivered() adds the key and sets its newest state.
/// - next() compares the newest state with the delivered one. Without a delivered state, it returns
///   an addition. If the states differ in a way that matters, it returns an update. Otherwise it
///   returns nothing.
/// - started() notes that a command may have seen the object, so that its deletion is delivered
///   even if the command fails.
/// - succeeded() makes the change the delivered state. given_up() keeps the change from being
///   delivered again until the object changes or retry_given_up() is called.
/// - A deletion clears the newest state. If a command was started for the object, the deletion
///   itself is delivered next, before the addition of a later object with the same name.
/// - The key is forgotten when no object exists and no deletion waits.
///
/// Threads: any. For one key, one thread at a time may go from next() to succeeded() or given_up().
class PendingChanges {
 public:
  /// Returns whether an update should cause a run. If empty, every update does.
  using Matters = std::function<bool(const Object& old_object, const Object& object)>;

  explicit PendingChanges(Matters matters = {}) : matters_(std::move(matters)) {}

  /// Records a change from an informer. For a resync, use retry_given_up().
  void changed(const RunKey& key, const Change& change);
  /// Records a change and marks its state as delivered.
  void set_delivered(const RunKey& key, const Change& change);

  /// Returns the next change to deliver. Its `old` is the last state that was delivered. Returns
  /// nullopt if the newest state is delivered or given up.
  std::optional<Change> next(const RunKey& key);
  /// Records that a command starts for `change`.
  void started(const RunKey& key, const Change& change);
  /// Records that the command succeeded for `change`.
  void succeeded(const RunKey& key, const Change& change);
  /// Stops delivering `change`. A later change is delivered.
  void given_up(const RunKey& key, const Change& change);
  /// Makes next() return the change that was given up. `origin` is the resync that causes this.
  /// Returns false if nothing was given up, or if the object was deleted.
  bool retry_given_up(const RunKey& key, const ChangeOrigin& origin);
  /// Returns whether the newest states of all objects are delivered. Reads all of them.
  bool has_delivered_all() const;
  /// Returns the number of tracked objects.
  std::size_t size() const;

 private:
  struct State {
    Change newest;                   ///< has no object if the object does not exist
    ObjectPtr delivered;             ///< state at the last success; null if there was none
    bool started = false;            ///< a command was started for this object
    std::optional<Change> end;       ///< undelivered deletion of an earlier object
    std::optional<Change> given_up;  ///< change that is not retried
  };

  std::optional<Change> next_locked(const State& state) const KINF_REQUIRES(mu_);
  void forget_if_over_locked(const RunKey& key) KINF_REQUIRES(mu_);

  const Matters matters_;
  mutable Mutex mu_;
  std::unordered_map<RunKey, State> states_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
