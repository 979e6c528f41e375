// SPDX-License-Identifier: Apache-2.0
// LateHandler: passes on the changes of an informer that a running command started. Its first list
// is not part of the command's initial list, but a later one.
#pragma once

#include "kinf/api/event_handler.h"

namespace kinf {

/// Threads: the informer calls it like any other handler.
class LateHandler final : public EventHandler {
 public:
  /// `inner` must outlive this object.
  explicit LateHandler(EventHandler& inner) : inner_(inner) {}

  void on_add(const Change& change) override {
    Change added = change;
    added.initial = false;
    added.origin.source = ChangeSource::relist;
    inner_.on_add(added);
  }
  void on_update(const Change& change) override { inner_.on_update(change); }
  void on_delete(const Change& change) override { inner_.on_delete(change); }
  void on_known(const Change& known) override { inner_.on_known(known); }
  void on_synced(const SyncedEvent& event) override { inner_.on_synced(event); }
  void on_idle() override { inner_.on_idle(); }

 private:
  EventHandler& inner_;
};

}  // namespace kinf
