// SPDX-License-Identifier: Apache-2.0
// SelectingHandler: passes only the changes of selected objects on to another handler. An object
// that enters the selection is added, one that leaves it is deleted.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>

#include "kinf/api/event_handler.h"

namespace kinf {

/// Returns whether the command sees `object`. `old` is its previous state; null if there is none.
using ObjectFilter = std::function<bool(const Object& object, const Object* old)>;

/// Unlike FilteringHandler, it remembers which objects are selected, because a filter may depend on
/// the previous state. An object that leaves is reported as deleted: the change has the new state,
/// which no longer matches, and as `old` the last state that did. A resync changes nothing.
///
/// Threads: the informer calls it like any other handler.
class SelectingHandler final : public EventHandler {
 public:
  /// `inner` must outlive this.
  SelectingHandler(ObjectFilter filter, EventHandler& inner);

  void on_add(const Change& change) override;
  void on_update(const Change& change) override;
  void on_delete(const Change& change) override;
  void on_synced(const SyncedEvent& event) override { inner_.on_synced(event); }
  void on_idle() override { inner_.on_idle(); }

 private:
  const ObjectFilter filter_;
  EventHandler& inner_;
  std::unordered_set<std::string> selected_;  ///< keys
  std::string last_deleted_;                  ///< the key of the last deletion that was passed on
};

}  // namespace kinf
