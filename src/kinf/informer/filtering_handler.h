// SPDX-License-Identifier: Apache-2.0
// FilteringHandler: passes the changes of some objects on to another handler (client-go:
// FilteringResourceEventHandler).
#pragma once

#include <functional>

#include "kinf/api/event_handler.h"

namespace kinf {

/// An object that starts to pass the filter is an addition for the inner handler; one that stops
/// passing is a deletion with its old state. For a deletion the filter sees the last known object,
/// never a wrapper (as client-go's may: volcano#2784); a deletion without an object does not pass.
///
/// Threads: called from the informer's threads, as any handler.
class FilteringHandler final : public EventHandler {
 public:
  using Filter = std::function<bool(const Object&)>;

  /// `inner` outlives this.
  FilteringHandler(Filter filter, EventHandler& inner);

  void on_add(const Change& change) override;
  void on_update(const Change& change) override;
  void on_delete(const Change& change) override;
  void on_synced(const SyncedEvent& event) override { inner_.on_synced(event); }
  void on_idle() override { inner_.on_idle(); }

 private:
  const Filter filter_;
  EventHandler& inner_;
};

}  // namespace kinf
