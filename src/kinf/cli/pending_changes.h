// SPDX-License-Identifier: Apache-2.0
// PendingChanges: for `kinf run`: what each object's command has been told, and what it is to be
// told next. It compares states and keeps no history.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "kinf/api/event_handler.h"
#include "kinf/base/sync.h"
#include "kinf/print/event_printer.h"

namespace kinf {

/// What a command is told of one object.
struct ToldChange {
  PrintedEventType type = PrintedEventType::added;
  ObjectPtr object;  ///< as it is now; deleted: the last known state
  ObjectPtr old;     ///< updated: as of the last success
  EventSource source = EventSource::watch;
  Clock::Wall arrived{};
  bool final_state_unknown = false;
  bool recreated = false;

  /// Whether both tell the same.
  bool is_same(const ToldChange& other) const;
};

/// Items are the names under which a work queue knows the objects. An object that comes and goes
/// before its command was ever started is never told of; of one that was deleted and created again
/// first the end is told, then the beginning.
/// Threads: every call from any thread; for one item, next() to succeeded() or given_up() by one.
class PendingChanges {
 public:
  /// Whether an update is worth a run; empty: each is.
  using Matters = std::function<bool(const Object& old_object, const Object& object)>;

  explicit PendingChanges(Matters matters = {}) : matters_(std::move(matters)) {}

  void added(const std::string& item, const AddEvent& event);
  void updated(const std::string& item, const UpdateEvent& event);
  void deleted(const std::string& item, const DeleteEvent& event);
  /// Takes the state for one that has been told.
  void set_delivered(const std::string& item, const ObjectPtr& object);

  /// What is to be told; nothing if that has been done, or given up.
  std::optional<ToldChange> next(const std::string& item);
  /// A command is being started with that.
  void started(const std::string& item, const ToldChange& change);
  void succeeded(const std::string& item, const ToldChange& change);
  /// It is not told any more; a later change is.
  void given_up(const std::string& item, const ToldChange& change);
  /// Objects that something is remembered of.
  std::size_t size() const;

 private:
  struct State {
    ObjectPtr now;   ///< null: it is not there
    ObjectPtr told;  ///< as of the last success
    bool started = false;
    bool recreated = false;
    EventSource source = EventSource::watch;
    Clock::Wall arrived{};
    std::optional<ToldChange> end;  ///< of an earlier object of the name, that is still to be told
    std::optional<ToldChange> given_up;
  };

  std::optional<ToldChange> next_locked(const State& state) const KINF_REQUIRES(mu_);
  void forget_if_over_locked(const std::string& item) KINF_REQUIRES(mu_);

  const Matters matters_;
  mutable Mutex mu_;
  std::unordered_map<std::string, State> states_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
