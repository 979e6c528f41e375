// SPDX-License-Identifier: Apache-2.0
// FilteringHandler: lets only some objects through to another handler (client-go:
// FilteringResourceEventHandler).
#pragma once

#include <functional>

#include "kinf/api/event_handler.h"

namespace kinf {

/// An object that starts to pass the filter is an addition to the inner handler, one that ceases
/// to is a deletion of its old state. The filter sees the last known object of a deletion, never a
/// wrapping (as client-go's may: volcano#2784); a deletion without an object does not pass.
///
/// Threads: those of the informer, as for any handler.
class FilteringHandler final : public EventHandler {
 public:
  using Filter = std::function<bool(const Object&)>;

  /// `inner` outlives this.
  FilteringHandler(Filter filter, EventHandler& inner);

  void on_add(const AddEvent& event) override;
  void on_update(const UpdateEvent& event) override;
  void on_delete(const DeleteEvent& event) override;
  void on_synced(const SyncedEvent& event) override { inner_.on_synced(event); }
  void on_idle() override { inner_.on_idle(); }

 private:
  const Filter filter_;
  EventHandler& inner_;
};

}  // namespace kinf
