// SPDX-License-Identifier: Apache-2.0
// SharedInformer: an up-to-date cache of one resource type that notifies any number of handlers of
// changes (client-go: SharedIndexInformer). The main class of the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/cache/store_reader.h"
#include "kinf/informer/handler_registration.h"
#include "kinf/informer/informer_options.h"

namespace [[gnu::visibility("default")]] kinf {

// The result and the argument of SharedInformer::step(), for programs that run an informer on their
// own thread.

struct StepResult {
  bool moved = false;  ///< the step did some work; call step() again at once
  /// If `moved` is false: call step() again at this time, or earlier if the source has data or a
  /// handler is added.
  Clock::Mono wake = Clock::kNever;
};

/// The part of an informer that a step runs. Each part has a thread of its own after start().
enum class StepPart : unsigned char {
  all,        ///< the processor, or the reflector if the processor has nothing to do
  processor,  ///< the processor and the handlers
  reflector,  ///< the reflector; blocks while the queue is full (see `queue_capacity`)
};

// InformerStats: the counters of one informer, for --stats and for metrics.

/// A snapshot. It is not atomic: the counters may be read at slightly different times.
struct InformerStats {
  std::size_t objects = 0;    ///< objects in the cache now
  std::size_t queued = 0;     ///< deltas that wait for the processor or that it distributes now
  std::size_t backlog = 0;    ///< changes that wait for a handler or that it processes now
  std::uint64_t lists = 0;    ///< lists started, including streaming lists
  std::uint64_t relists = 0;  ///< lists applied, except the first
  std::uint64_t watches = 0;  ///< watches started
  std::uint64_t watch_events = 0;
  std::uint64_t bookmarks = 0;
  std::uint64_t errors = 0;     ///< failed lists, watches, resyncs and updates of the cache
  std::uint64_t stalls = 0;     ///< watches that were silent for stall_timeout
  std::uint64_t unchanged = 0;  ///< objects that were received again unchanged; not delivered
  std::uint64_t version_regressions = 0;  ///< objects older than the stored ones; dropped
  std::uint64_t unknown_deletions = 0;    ///< deletions of objects never seen; not delivered
  std::uint64_t foreign_events = 0;       ///< events with an unexpected apiVersion or kind; dropped
  std::uint64_t apply_errors = 0;   ///< lists and events that could not be applied to the cache
  std::uint64_t index_errors = 0;   ///< failed calls of index functions
  std::uint64_t mutations = 0;      ///< cached objects that were modified; see detect_mutations
  std::uint64_t notifications = 0;  ///< changes delivered to handlers
  std::uint64_t folded = 0;         ///< changes merged into newer ones for slow handlers
  std::uint64_t undelivered = 0;    ///< changes still waiting for a handler when the informer ended
  /// Exceptions thrown by handlers, observers and other callbacks.
  std::uint64_t handler_exceptions = 0;
};

class InformerObserver;  // kinf/informer/informer_observer.h
class ListerWatcher;     // kinf/api/lister_watcher.h
struct Delta;            // kinf/cache/queue.h

/// A cache of one resource type that notifies handlers of changes. An informer runs once. After
/// stop(), its cache stays readable, but it cannot be started again.
///
/// Threads: call every function from any thread, but begin(), step() and finish() from one thread.
/// Callbacks (handlers, the observer, the functions of InformerOptions) run without a lock and may
/// call every function of their own informer except run(), finish(), wait_for_sync() and the
/// destructor. Destroying an informer inside one of its callbacks ends the process with a message.
class SharedInformer {
 public:
  /// `source` must not be null. `observer` (may be null) must outlive the informer, and `clock` too
  /// unless it is a RealClock.
  SharedInformer(std::unique_ptr<ListerWatcher> source, Clock& clock, InformerOptions options = {},
                 InformerObserver* observer = nullptr);
  /// Stops the informer and waits for its threads.
  ~SharedInformer();
  SharedInformer(const SharedInformer&) = delete;
  SharedInformer& operator=(const SharedInformer&) = delete;

  /// Registers a handler, before or after start(). A handler added later first gets every stored
  /// object as an initial addition. Fails with kind `stopped` after the informer has stopped.
  /// `handler` must outlive the registration. The registration may outlive the informer. If a
  /// handler is registered twice, or with two informers, two threads may call it at the same time.
  ///
  /// The shortest resync period requested before start() becomes the informer's period. Handlers
  /// added later get at least that period. Like client-go, Behaviour::client_go never resyncs if
  /// InformerOptions::resync_period is 0.
  [[nodiscard]] Result<HandlerRegistration> add_event_handler(EventHandler& handler,
                                                              const HandlerOptions& options = {});
  /// Like the function above, for a handler made of `functions`, which the informer keeps as long
  /// as it may call them. What the functions refer to must outlive the registration.
  [[nodiscard]] Result<HandlerRegistration> add_event_handler(HandlerFunctions functions,
                                                              const HandlerOptions& options = {});
  /// The same for one function that is called for each addition, update and deletion.
  [[nodiscard]] Result<HandlerRegistration> add_event_handler(
      std::function<void(const Change&)> on_change, const HandlerOptions& options = {});

  /// Fills the cache with the objects that the program knew when it last stopped. The first list
  /// then reports what has changed since, including deletions, as a relist does. Handlers that are
  /// registered before start() get the objects through EventHandler::on_known(). If `is_complete`
  /// is false, the program may have known other objects, too, so the first list reports objects
  /// that are not in `objects` as initial additions. Call it before start() and begin(). Later
  /// calls fail with kind `usage`.
  Result<void> restore(const std::vector<ObjectPtr>& objects, bool is_complete);

  /// Starts two threads and returns. The informer ends on `stop` or stop(). A second call does
  /// nothing. Fails with kind `internal` if the system provides no thread: the informer has then
  /// stopped. Fails with kind `stopped` after the informer has stopped, and with kind `usage` after
  /// begin().
  Result<void> start(std::stop_token stop = {});
  /// Stops the threads and waits for them and for running callbacks. Inside a callback of any
  /// informer, only asks the threads to stop and does not wait. Further calls do nothing.
  void stop();
  /// Calls start(), waits for `stop` or for stop() on another thread, then calls stop(). Errors:
  /// those of start().
  Result<void> run(std::stop_token stop);

  // Use these functions instead of start() to run the informer on the calling thread: call begin()
  // once, then step() repeatedly (see StepResult), then finish().

  /// A second call does nothing. Fails with kind `usage` after start(), and with kind `stopped`
  /// after the informer has stopped.
  Result<void> begin();
  /// Does nothing before begin() and after finish(): `moved` is false and `wake` is kNever.
  StepResult step();
  /// Runs only one part of the informer. Tests use it to control how the work of the two threads
  /// interleaves.
  StepResult step(StepPart part);
  /// Ends the informer. A second call does nothing. After start() instead of begin(), calls stop().
  void finish();

  /// Returns the cache for reading.
  const StoreReader& indexer() const;
  /// Adds indices, before or after start(). Fails with a usage error that names the indices that
  /// already exist.
  Result<void> add_indexers(Indexers indexers);

  /// Returns true once the initial list is in the cache. Handlers may still be processing it: see
  /// HandlerRegistration::has_synced().
  bool has_synced() const;
  /// Waits until has_synced(). `deadline` is a point in time (`clock.now() + 10s`), not a duration.
  /// Fails with last_error() if there is one, else with kind `stopped` on stop or `unavailable` at
  /// the deadline.
  Result<void> wait_for_sync(Clock::Mono deadline, const std::stop_token& stop = {}) const;
  bool is_stopped() const;
  std::string last_sync_resource_version() const;
  /// Returns the newest failure since the last success: why the informer cannot reach its source.
  /// Empty if there was none.
  std::optional<Error> last_error() const;
  InformerStats stats() const;
  /// Returns a copy of the deltas that wait between the source and the cache, oldest first, for
  /// diagnostics. With QueueKind::delta, each element has all deltas of a key; otherwise one delta.
  std::vector<std::vector<Delta>> queued_changes() const;
  /// Returns the description of the source, as used in messages.
  const std::string& description() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kinf
