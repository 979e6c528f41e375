// SPDX-License-Identifier: Apache-2.0
// PendingChanges: for `kinf run`: which change of each object its command gets next. Compares
// states and keeps no history.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/base/sync.h"

namespace kinf {

/// An object among those of several types.
struct RunKey {
  const ResourceType* type = nullptr;
  std::string key;  ///< `namespace/name`, or `name`

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

/// Whether both are of the same type and lead to the same state of the object.
bool is_same(const Change& a, const Change& b);

/// An object that is created and deleted before its command ever started causes no run. One that
/// was deleted and created again causes two: first for the deletion, then for the creation.
/// Threads: every call from any thread; for one key, next() to succeeded() or given_up() from one.
class PendingChanges {
 public:
  /// Whether an update causes a run; empty: every update does.
  using Matters = std::function<bool(const Object& old_object, const Object& object)>;

  explicit PendingChanges(Matters matters = {}) : matters_(std::move(matters)) {}

  /// Takes a change from an informer.
  void changed(const RunKey& key, const Change& change);
  /// Takes a change whose state counts as delivered.
  void set_delivered(const RunKey& key, const Change& change);

  /// The next change to run the command for, with the state of the last success as `old`. Nothing
  /// if it has succeeded, or was given up.
  std::optional<Change> next(const RunKey& key);
  /// A command is being started for `change`.
  void started(const RunKey& key, const Change& change);
  void succeeded(const RunKey& key, const Change& change);
  /// The change is not delivered any more; a later one is.
  void given_up(const RunKey& key, const Change& change);
  /// The number of objects with state.
  std::size_t size() const;

 private:
  struct State {
    Change newest;        ///< without an object: the object does not exist
    ObjectPtr delivered;  ///< as of the last success
    bool started = false;
    std::optional<Change> end;  ///< the deletion of an earlier object, not yet delivered
    std::optional<Change> given_up;
  };

  std::optional<Change> next_locked(const State& state) const KINF_REQUIRES(mu_);
  void forget_if_over_locked(const RunKey& key) KINF_REQUIRES(mu_);

  const Matters matters_;
  mutable Mutex mu_;
  std::unordered_map<RunKey, State> states_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
