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
/// Threads: every call from any thread, but run() and the destructor not from a handler, and
/// begin(), step(), finish() from one thread.
class SharedInformer {
 public:
  /// `clock`, and `observer` unless null, outlive the informer.
  SharedInformer(std::unique_ptr<ListerWatcher> source, Clock& clock, InformerOptions options = {},
                 InformerObserver* observer = nullptr);
  ~SharedInformer();
  SharedInformer(const SharedInformer&) = delete;
  SharedInformer& operator=(const SharedInformer&) = delete;

  /// Before or after start. A handler that comes late is first told of every stored object as an
  /// initial addition. Fails with kind `stopped` after the end. `handler` outlives the
  /// registration, the informer outlives the registration.
  [[nodiscard]] Result<HandlerRegistration> add_event_handler(EventHandler& handler,
                                                              const HandlerOptions& options = {});

  /// Starts two threads and returns; a second call does nothing. The informer ends on `stop` or
  /// stop().
  void start(std::stop_token stop = {});
  /// Ends the threads and waits for them and for callbacks that run; from inside a handler it only
  /// asks them to end. Twice is no error.
  void stop();
  /// start(), waits for `stop` or for a stop() from elsewhere, stop().
  void run(std::stop_token stop);

  // Instead of threads, all on the caller's: begin(), step() while it moves, finish().
  void begin();
  /// `wake`: when nothing moved, until when nothing will but by the source or a new handler.
  StepResult step();
  void finish();

  /// The cache, for reading.
  const StoreReader& indexer() const;
  Result<> add_indexers(Indexers indexers);

  /// The first list stands in the cache; handlers may still be at it: ask their registration.
  bool has_synced() const;
  /// Waits for it. Otherwise fails: with what kept the last list from succeeding, if something
  /// did; or kind `unavailable` at the deadline, kind `stopped` on stop.
  Result<> wait_for_sync(Clock::Mono deadline, const std::stop_token& stop = {}) const;
  bool is_stopped() const;
  std::string last_sync_resource_version() const;
  /// What keeps the informer from its source right now; empty if nothing does.
  std::optional<Error> last_error() const;
  InformerStats stats() const;
  /// Names the source in messages.
  const std::string& description() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kinf
