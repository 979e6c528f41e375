// SPDX-License-Identifier: Apache-2.0
// FilteringHandler: passes only the changes of matching objects on to another handler (client-go:
// FilteringResourceEventHandler).
#pragma once

#include <functional>

#include "kinf/api/event_handler.h"

namespace kinf {

/// An update after which the object starts to match becomes an addition. An update after which it
/// stops matching becomes a deletion with the old state. On a deletion, the filter gets the last
/// known object, never a wrapper like DeletedFinalStateUnknown (a common bug in client-go programs:
/// volcano#2784). A deletion without an object is dropped.
///
/// Threads: the informer calls it like any other handler.
class FilteringHandler final : public EventHandler {
 public:
  using Filter = std::function<bool(const Object&)>;

  /// `inner` must outlive the FilteringHandler.
  FilteringHandler(Filter filter, EventHandler& inner);

  void on_add(const Change& change) override;
  void on_update(const Change& change) override;
  void on_delete(const Change& change) override;
  void on_known(const Change& known) override;
  void on_synced(const SyncedEvent& event) override { inner_.on_synced(event); }
  void on_idle() override { inner_.on_idle(); }

 private:
  const Filter filter_;
  EventHandler& inner_;
};

}  // namespace kinf
