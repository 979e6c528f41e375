// SPDX-License-Identifier: Apache-2.0
// InformerObserver: receives events about the informer itself: lists, reconnects and failures. Use
// it for logs and metrics. Changes of objects go to EventHandlers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace [[gnu::visibility("default")]] kinf {

/// Reported when a list or a streaming list starts.
struct ListStarted {
  bool first = true;             ///< whether no list has succeeded yet
  bool streaming = false;        ///< whether it is a streaming list (KEP-3157)
  std::string resource_version;  ///< the resourceVersion in the request
};

/// Reported when a list other than the first is in the cache and its changes were passed to the
/// handlers. What happened and ended again between `watched_until` and `arrived` is not known.
struct Relisted {
  std::size_t objects = 0;  ///< objects in the list
  std::size_t changed = 0;  ///< changes that the list caused
  std::string reason;       ///< why the watch could not resume: `resourceVersion 100 expired`
  std::string resource_version;
  /// When the last list, event or bookmark before this list arrived. 0 (1970) if none arrived.
  Clock::Wall watched_until{};
  Clock::Wall arrived{};  ///< when the list arrived
};

/// Reported when the handlers have got everything that arrived.
struct Delivered {
  Clock::Wall arrived{};  ///< when the last list, event or bookmark arrived
  /// A watch from this resourceVersion brings exactly what the handlers have not got yet. Empty if
  /// no such version is known.
  std::string resource_version{};
  bool is_bookmark = false;  ///< whether a bookmark arrived last
};

/// Reported when a watch ended and resumes without a list.
struct WatchEnded {
  Clock::Duration lived{};       ///< how long the watch was open
  std::uint64_t events = 0;      ///< number of events received, including bookmarks
  std::string resource_version;  ///< the version from which the next watch resumes
  /// Whether this was the tenth watch in a row that lived less than 5 s. The next ones resume after
  /// growing pauses.
  bool is_tenth_brief = false;
};

/// Reported when a list, a watch or an update of the cache failed. The informer continues.
struct InformerFailure {
  enum class Doing { listing, opening_watch, watching, applying };

  Error error;
  Doing doing = Doing::listing;
  /// Time since the first failure in the current series of failures with this ErrorKind.
  Clock::Duration lasted{};
  Clock::Duration retry_in{};  ///< time until the next attempt
};

/// Threads: on_synced(), on_relisting(), on_relisted() and on_delivered() are called from the
/// processor's thread, on_idle() also from the threads of queued handlers, on_error() from the
/// processor's and the reflector's thread, and the others from the reflector's thread. Calls may
/// overlap. kinf holds no lock during a call. Implementations must return quickly and outlive the
/// informer. The informer catches and counts exceptions (GuardedObserver; add each new function
/// there, too). A callback may call the informer's stop(), which then returns without waiting.
class InformerObserver {
 public:
  virtual ~InformerObserver() = default;
  virtual void on_list_started(const ListStarted& started) { (void)started; }
  /// Called when the initial list is in the cache. Handlers may still be processing that list.
  virtual void on_synced(const SyncedEvent& synced) { (void)synced; }
  /// Called before the changes of a list other than the first are passed to the handlers, even if
  /// there are none, and after all earlier changes. Relisted::changed is 0.
  virtual void on_relisting(const Relisted& list) { (void)list; }
  virtual void on_relisted(const Relisted& relisted) { (void)relisted; }
  virtual void on_watch_opened() {}
  virtual void on_watch_closed(const WatchEnded& ended) { (void)ended; }
  virtual void on_error(const InformerFailure& failure) { (void)failure; }
  /// Called after a resync was queued for the handlers whose resync is due.
  virtual void on_resync() {}
  /// Called when a list or a watch succeeds after failures or after on_stalled(). `lasted` is the
  /// time since the first failure or since the silence began.
  virtual void on_recovered(Clock::Duration lasted) { (void)lasted; }
  /// Called when everything that the watch or list has delivered was passed to the handlers with
  /// Delivery::direct, and before their EventHandler::on_idle(). The last of it may be a bookmark.
  /// Not called for a resync.
  virtual void on_delivered(const Delivered& delivered) { (void)delivered; }
  /// Called when the processor's thread has passed all changes to the handlers, or when the thread
  /// of a queued handler has emptied its queue. Called from that thread.
  virtual void on_idle() {}
  /// Called when the server has sent nothing for `silent`, and a new connection did not help.
  virtual void on_stalled(Clock::Duration silent) { (void)silent; }
};

}  // namespace kinf
