// SPDX-License-Identifier: Apache-2.0
// EventHandler: receives the changes of an informer's objects (client-go: ResourceEventHandler).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "kinf/api/change.h"

namespace [[gnu::visibility("default")]] kinf {

/// Reports that the initial list has been delivered completely.
struct SyncedEvent {
  std::string resource_version;
  std::size_t objects = 0;
};

/// Threads: an informer thread calls the functions of one handler one at a time, without holding a
/// kinf lock. Exceptions are caught and counted; the change counts as delivered. A handler that
/// blocks delays its own later changes. If its queue is bounded, it can delay the informer too.
class EventHandler {
 public:
  virtual ~EventHandler() = default;
  virtual void on_add(const Change& change) = 0;
  /// Also called for ChangeType::resync.
  virtual void on_update(const Change& change) = 0;
  virtual void on_delete(const Change& change) = 0;
  /// Called before the other functions, for each object that was passed to
  /// SharedInformer::restore(), because the program has seen that object in an earlier run. `known`
  /// is a Change of type added with `initial` set.
  virtual void on_known(const Change& known) { (void)known; }
  virtual void on_synced(const SyncedEvent& event) { (void)event; }
  /// Called when all queued changes have been delivered, for example to flush output.
  virtual void on_idle() {}

  /// Calls on_add(), on_update() or on_delete(), depending on the type of the change.
  void handle(const Change& change) {
    switch (change.type) {
      case ChangeType::added: return on_add(change);
      case ChangeType::updated:
      case ChangeType::resync: return on_update(change);
      case ChangeType::deleted: return on_delete(change);
    }
  }
};

// FunctionHandler: an EventHandler made of functions, such as lambdas (client-go:
// ResourceEventHandlerFuncs).

/// The functions of a FunctionHandler. Empty functions are not called.
struct HandlerFunctions {
  std::function<void(const Change&)> on_add{};
  std::function<void(const Change&)> on_update{};
  std::function<void(const Change&)> on_delete{};
  std::function<void(const SyncedEvent&)> on_synced{};
};

/// Threads: like EventHandler. Objects that the functions refer to must outlive the registration.
class FunctionHandler final : public EventHandler {
 public:
  explicit FunctionHandler(HandlerFunctions functions) : functions_(std::move(functions)) {}
  /// Calls `on_change` for each addition, update and deletion. Change::type tells them apart.
  explicit FunctionHandler(const std::function<void(const Change&)>& on_change)
      : functions_{on_change, on_change, on_change, {}} {}

  void on_add(const Change& change) override { call(functions_.on_add, change); }
  void on_update(const Change& change) override { call(functions_.on_update, change); }
  void on_delete(const Change& change) override { call(functions_.on_delete, change); }
  void on_synced(const SyncedEvent& event) override { call(functions_.on_synced, event); }

 private:
  template <class Event>
  static void call(const std::function<void(const Event&)>& function, const Event& event) {
    if (function) function(event);
  }

  const HandlerFunctions functions_;
};

// FilteringHandler: passes only the changes of matching objects on to another handler (client-go:
// FilteringResourceEventHandler).

/// Passes the changes of matching objects to another handler. An update that makes the object match
/// becomes an addition. An update that makes the object stop matching becomes a deletion with the
/// old state. On a deletion, the filter is called with the last known object, never with a wrapper
/// like DeletedFinalStateUnknown (a common bug in client-go programs: volcano#2784). A deletion
/// without an object is dropped.
///
/// Threads: the informer calls it like any other handler.
class FilteringHandler final : public EventHandler {
 public:
  using Filter = std::function<bool(const Object&)>;

  /// `inner` must outlive the FilteringHandler.
  FilteringHandler(Filter filter, EventHandler& inner)
      : filter_(std::move(filter)), inner_(inner) {}

  void on_add(const Change& change) override {
    if (filter_(*change.object)) inner_.on_add(change);
  }
  void on_update(const Change& change) override {
    const bool was_in = filter_(*change.old);
    const bool is_in = filter_(*change.object);
    if (was_in && is_in) return inner_.on_update(change);
    if (!was_in && !is_in) return;
    Change moved = change;
    moved.type = is_in ? ChangeType::added : ChangeType::deleted;
    if (was_in) moved.object = change.old;
    moved.old = nullptr;
    inner_.handle(moved);
  }
  void on_delete(const Change& change) override {
    if (change.object && filter_(*change.object)) inner_.on_delete(change);
  }
  void on_known(const Change& known) override {
    if (filter_(*known.object)) inner_.on_known(known);
  }
  void on_synced(const SyncedEvent& event) override { inner_.on_synced(event); }
  void on_idle() override { inner_.on_idle(); }

 private:
  const Filter filter_;
  EventHandler& inner_;
};

}  // namespace kinf
