// SPDX-License-Identifier: Apache-2.0
// EventHandler: receives the changes of an informer's objects (client-go: ResourceEventHandler).
#pragma once

#include <cstddef>
#include <string>

#include "kinf/api/change.h"

namespace kinf {

/// The initial list has been delivered completely.
struct SyncedEvent {
  std::string resource_version;
  std::size_t objects = 0;
};

/// Threads: the calls to one handler come one at a time, from a thread of the informer, with no
/// kinf lock held. Exceptions are caught and counted; the change counts as delivered. A handler
/// that blocks delays itself, and with a bounded queue the informer.
class EventHandler {
 public:
  virtual ~EventHandler() = default;
  virtual void on_add(const Change& change) = 0;
  /// Also called for ChangeType::resync.
  virtual void on_update(const Change& change) = 0;
  virtual void on_delete(const Change& change) = 0;
  virtual void on_synced(const SyncedEvent& event) { (void)event; }
  /// Everything that was ready has been delivered: a good moment to flush.
  virtual void on_idle() {}

  /// Calls the on_… function for the change's type.
  void handle(const Change& change) {
    switch (change.type) {
      case ChangeType::added:
        return on_add(change);
      case ChangeType::updated:
      case ChangeType::resync:
        return on_update(change);
      case ChangeType::deleted:
        return on_delete(change);
    }
  }
};

}  // namespace kinf
