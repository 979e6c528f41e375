// SPDX-License-Identifier: Apache-2.0
// EventHandler: the seam between the pipeline and whoever wants to know what changed.
#pragma once

#include <cstdint>
#include <string>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"

namespace kinf {

/// Where a notification has its origin.
enum class EventSource {
  list,    ///< the first list
  watch,   ///< a watch event
  relist,  ///< a difference found by listing again
  resync,  ///< nothing changed: a periodic reminder
};

struct AddEvent {
  ObjectPtr object;
  bool is_in_initial_list = false;  ///< also true for what a late handler is shown at first
  bool recreated = false;           ///< same key, new uid: follows the deletion of the old one
  EventSource source = EventSource::watch;
  Clock::Wall arrived{};
  std::uint64_t folded = 0;  ///< later events that this one stands for too: the handler is slow
};

struct UpdateEvent {
  ObjectPtr old_object;
  ObjectPtr object;
  EventSource source = EventSource::watch;
  Clock::Wall arrived{};
  std::uint64_t folded = 0;  ///< as in AddEvent
};

struct DeleteEvent {
  std::string key;
  ObjectPtr object;  ///< the last known state; null only if none was ever seen (client_go mode)
  bool final_state_unknown = false;  ///< inferred by a relist: the last state was not sent
  EventSource source = EventSource::watch;
  Clock::Wall arrived{};
  std::uint64_t folded = 0;  ///< earlier events that nobody saw for it
};

/// The first list has been handed over completely.
struct SyncedEvent {
  std::string resource_version;
  std::size_t objects = 0;
};

/// Threads: the calls to one handler come one at a time, from a thread of the informer; no lock of
/// kinf is held. What a handler throws is caught, counted, and its notification counts as
/// delivered. A handler that blocks holds up itself, and with a bounded listener the informer.
class EventHandler {
 public:
  virtual ~EventHandler() = default;
  virtual void on_add(const AddEvent& event) = 0;
  virtual void on_update(const UpdateEvent& event) = 0;
  virtual void on_delete(const DeleteEvent& event) = 0;
  virtual void on_synced(const SyncedEvent& event) { (void)event; }
  /// The last of what was ready has been delivered: a good moment to flush.
  virtual void on_idle() {}
};

}  // namespace kinf
