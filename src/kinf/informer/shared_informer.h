// SPDX-License-Identifier: Apache-2.0
// SharedInformer: an up-to-date cache of one resource type that notifies any number of handlers of
// changes (client-go: SharedIndexInformer). Start here.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/cache/store_reader.h"
#include "kinf/informer/handler_options.h"
#include "kinf/informer/handler_registration.h"
#include "kinf/informer/informer_options.h"
#include "kinf/informer/informer_stats.h"

namespace kinf {

class InformerObserver;  // kinf/informer/informer_observer.h
class ListerWatcher;     // kinf/api/lister_watcher.h
struct StepResult;       // kinf/informer/step_result.h

/// Runs once: after stop() it stays readable and cannot be started again.
///
/// Threads: every call from any thread, except that begin(), step() and finish() come from one
/// thread. Callbacks (handlers, the observer, the functions of InformerOptions) run without a lock
/// and may call everything except run(), finish(), the waits and the destructor of their own
/// informer. Destroying an informer inside one of its callbacks ends the process with a message.
class SharedInformer {
 public:
  /// `source` must not be null. `clock`, and `observer` unless null, outlive the informer.
  SharedInformer(std::unique_ptr<ListerWatcher> source, Clock& clock, InformerOptions options = {},
                 InformerObserver* observer = nullptr);
  /// Stops the informer and waits for its threads.
  ~SharedInformer();
  SharedInformer(const SharedInformer&) = delete;
  SharedInformer& operator=(const SharedInformer&) = delete;

  /// Registers a handler, before or after start(). A late handler first gets every stored object as
  /// an initial addition. Fails with kind `stopped` after the end. `handler` outlives the
  /// registration; the registration may outlive the informer. A handler that is registered twice,
  /// or with two informers, may be called by two threads at once.
  ///
  /// Before the start, the shortest period that a handler asks for becomes the informer's; later
  /// handlers get at least that period. client-go, and Behaviour::client_go, do not resync at all
  /// if the informer's default is 0.
  [[nodiscard]] Result<HandlerRegistration> add_event_handler(EventHandler& handler,
                                                              const HandlerOptions& options = {});

  /// Starts two threads and returns. A second call does nothing. The informer ends on `stop` or
  /// stop().
  void start(std::stop_token stop = {});
  /// Stops the threads and waits for them and for running callbacks. Inside a callback of this or
  /// another informer it only asks the threads to stop. Twice is no error.
  void stop();
  /// Calls start(), waits for `stop` or for a stop() from elsewhere, then calls stop().
  void run(std::stop_token stop);

  // Instead of threads, all on the caller's: begin(), step() while it moves, finish().
  void begin();
  StepResult step();
  void finish();

  /// The cache, for reading.
  const StoreReader& indexer() const;
  /// Adds indices, before or after start(). A usage error that names those that exist already.
  Result<> add_indexers(Indexers indexers);

  /// The first list is in the cache. Handlers may still be working on it: ask their registration.
  bool has_synced() const;
  /// Waits for has_synced(). `deadline` is a time on the clock (`clock.now() + 10s`), not a
  /// duration. Fails with the error of the last list, if it failed; otherwise with kind
  /// `unavailable` at the deadline, or kind `stopped` on stop.
  Result<> wait_for_sync(Clock::Mono deadline, const std::stop_token& stop = {}) const;
  bool is_stopped() const;
  std::string last_sync_resource_version() const;
  /// Why the informer cannot reach its source right now; empty if it can.
  std::optional<Error> last_error() const;
  InformerStats stats() const;
  /// Names the source in messages.
  const std::string& description() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kinf
