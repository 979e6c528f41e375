// SPDX-License-Identifier: Apache-2.0
// ChangedObjects: for `kinf run`: what each object's command has been told, and what it is to be
// told next. It compares states and keeps no history.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "kinf/api/change.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Whether both are of the same type and lead to the same state of the object.
bool is_same(const Change& a, const Change& b);

/// Items are the names under which a work queue knows the objects. An object that comes and goes
/// before its command was ever started is never told of; of one that was deleted and created again
/// first the end is told, then the beginning.
/// Threads: every call from any thread; for one item, next() to succeeded() or given_up() by one.
class ChangedObjects {
 public:
  /// Whether an update is worth a run; empty: each is.
  using Matters = std::function<bool(const Object& old_object, const Object& object)>;

  explicit ChangedObjects(Matters matters = {}) : matters_(std::move(matters)) {}

  /// Takes a change from an informer.
  void changed(const std::string& item, const Change& change);
  /// Takes a change whose state counts as told.
  void take_as_told(const std::string& item, const Change& change);

  /// What is to be told, with the state of the last success as `old`; nothing if that has been
  /// done, or given up.
  std::optional<Change> next(const std::string& item);
  /// A command is being started with that.
  void started(const std::string& item, const Change& change);
  void succeeded(const std::string& item, const Change& change);
  /// It is not told any more; a later change is.
  void given_up(const std::string& item, const Change& change);
  /// Objects that something is remembered of.
  std::size_t size() const;

 private:
  struct State {
    Change newest;   ///< without an object: it is not there
    ObjectPtr told;  ///< as of the last success
    bool started = false;
    std::optional<Change> end;  ///< of an earlier object of the name, still to be told
    std::optional<Change> given_up;
  };

  std::optional<Change> next_locked(const State& state) const KINF_REQUIRES(mu_);
  void forget_if_over_locked(const std::string& item) KINF_REQUIRES(mu_);

  const Matters matters_;
  mutable Mutex mu_;
  std::unordered_map<std::string, State> states_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
