// SPDX-License-Identifier: Apache-2.0
// EventHandler: receives the changes of an informer's objects (client-go: ResourceEventHandler).
#pragma once

#include <cstddef>
#include <string>

#include "kinf/api/change.h"

namespace kinf {

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
  /// Called before all others, for each object that SharedInformer::restore() got: the program has
  /// seen it earlier, and nothing has changed. `known` is an initial addition.
  virtual void on_known(const Change& known) { (void)known; }
  virtual void on_synced(const SyncedEvent& event) { (void)event; }
  /// Called when all queued changes have been delivered, for example to flush output.
  virtual void on_idle() {}

  /// Calls on_add(), on_update() or on_delete(), depending on the type of the change.
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
