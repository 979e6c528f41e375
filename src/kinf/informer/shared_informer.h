// SPDX-License-Identifier: Apache-2.0
// SharedInformer: an always current cache of one type of objects, and the word to any number of
// handlers when it changes (client-go: SharedIndexInformer). The front door of this room.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "kinf/informer/controller.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/informer_options.h"
#include "kinf/informer/informer_stats.h"
#include "kinf/informer/shared_processor.h"

namespace kinf {

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
  const Indexer& indexer() const { return indexer_; }
  Result<> add_indexers(Indexers indexers);

  /// The first list stands in the cache; handlers may still be at it: ask their registration.
  bool has_synced() const { return controller_.has_synced(); }
  /// Waits for it. Otherwise fails: with what kept the last list from succeeding, if something
  /// did; or kind `unavailable` at the deadline, kind `stopped` on stop.
  Result<> wait_for_sync(Clock::Mono deadline, const std::stop_token& stop = {}) const;
  bool is_stopped() const;
  std::string last_sync_resource_version() const {
    return controller_.last_sync_resource_version();
  }
  /// What keeps the informer from its source right now; empty if nothing does.
  std::optional<Error> last_error() const { return controller_.last_error(); }
  InformerStats stats() const;
  /// Names the source in messages.
  const std::string& description() const { return description_; }

 private:
  enum class Phase { fresh, running, stopped };

  Clock::Duration effective_period(Clock::Duration wanted) const KINF_REQUIRES(mu_);
  bool enter_running();

  const InformerOptions options_;
  const std::unique_ptr<ListerWatcher> source_;
  const std::string description_;
  InformerCounters counters_;
  Indexer indexer_;
  SharedProcessor processor_;
  Controller controller_;

  mutable Mutex mu_;
  Phase phase_ KINF_GUARDED_BY(mu_) = Phase::fresh;
  /// The shortest period anybody asked for before the start; 0: no resync at all.
  Clock::Duration check_period_ KINF_GUARDED_BY(mu_);
  Mutex ending_;  ///< held while threads are joined
  std::optional<std::stop_callback<std::function<void()>>> on_stop_ KINF_GUARDED_BY(ending_);
};

}  // namespace kinf
