// SPDX-License-Identifier: Apache-2.0
// InformerObserver: receives the events of an informer itself: lists, reconnects, failures. For log
// lines and metrics; changes of objects go to EventHandlers.
#pragma once

#include <cstddef>
#include <string>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf {

/// A list or a streaming list starts.
struct ListStarted {
  bool first = true;       ///< no list has succeeded yet
  bool streaming = false;  ///< as a stream of events
  std::string resource_version;
};

/// A later list has been applied, and its changes have been handed to the handlers.
struct Relisted {
  std::size_t objects = 0;  ///< in the list
  std::size_t changed = 0;  ///< changes found by the list
  std::string reason;       ///< why the watch could not resume: `resourceVersion 100 expired`
  std::string resource_version;
};

/// A watch ended and is resumed without a list.
struct WatchEnded {
  Clock::Duration lived{};
  std::string resource_version;  ///< where it resumes
};

/// Something failed. The informer continues by itself.
struct InformerFailure {
  enum class Doing { listing, opening_watch, watching, applying };

  Error error;
  Doing doing = Doing::listing;
  /// Time since the first of the failures of this kind without a success in between.
  Clock::Duration lasted{};
  Clock::Duration retry_in{};
};

/// Threads: called from the informer's threads, on_synced, on_relisted and the on_error of an index
/// function from the processor's, the others from the reflector's: two calls may run side by side.
/// No lock of kinf is held. Must return quickly and outlive the informer. What it throws is caught
/// and counted (by GuardedObserver, which needs a line for each function here). It may call the
/// informer's stop(), which then only asks it to stop.
class InformerObserver {
 public:
  virtual ~InformerObserver() = default;
  virtual void on_list_started(const ListStarted& started) { (void)started; }
  /// The first list is in the cache; handlers may still be working on it.
  virtual void on_synced(const SyncedEvent& synced) { (void)synced; }
  virtual void on_relisted(const Relisted& relisted) { (void)relisted; }
  virtual void on_watch_opened() {}
  virtual void on_watch_closed(const WatchEnded& ended) { (void)ended; }
  virtual void on_error(const InformerFailure& failure) { (void)failure; }
  /// A list or a watch has succeeded again after failures.
  virtual void on_recovered(Clock::Duration lasted) { (void)lasted; }
  /// The processor's thread has passed all changes on to the handlers, or a queued handler's thread
  /// has delivered all that it had. Called from that thread.
  virtual void on_idle() {}
  /// The server has been silent, and a new connection did not help.
  virtual void on_stalled(Clock::Duration silent) { (void)silent; }
};

}  // namespace kinf
