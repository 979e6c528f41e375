// SPDX-License-Identifier: Apache-2.0
// SharedProcessor: all handlers of one informer. Adds and removes them, distributes changes, and
// schedules resyncs (client-go: sharedProcessor).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "kinf/cache/store_reader.h"
#include "kinf/informer/handler_registration.h"
#include "kinf/informer/processor_listener.h"

namespace kinf {

/// Threads: add(), begin_resync() and the const functions from any thread; the others from the
/// processor's. A late handler is admitted by the processor's thread, between two changes: so it
/// gets each object once and misses nothing.
class SharedProcessor {
 public:
  /// `wake` is called after add() and must make the processor's thread call admit(). `drained` (may
  /// be empty) is called from a queued handler's thread when its queue is empty. All references
  /// outlive this.
  SharedProcessor(const StoreReader& store, const Clock& clock, InformerCounters& counters,
                  std::function<void()> wake, std::function<void()> drained = {});

  /// `period`: the effective resync period (see HandlerOptions::resync).
  HandlerRegistration add(EventHandler& handler, const HandlerOptions& options,
                          Clock::Duration period);
  /// Recomputes every handler's period from the one it asked for.
  void update_periods(const std::function<Clock::Duration(Clock::Duration wanted)>& effective);

  /// Gives queued handlers their threads, also those that are added later.
  void start_threads() { threaded_ = true; }
  /// Starts new handlers and drops removed ones. Returns true if there were new ones.
  bool admit(const std::stop_token& stop);
  void distribute(std::span<const Change> changes, const std::stop_token& stop);
  /// The initial list has been distributed.
  void announce_synced(const SyncedEvent& synced, const std::stop_token& stop);
  void idle();
  /// Without threads: delivers what waits.
  bool pump();
  /// Ends all threads, waiting for running calls.
  void finish();

  /// When the first handler is due for a resync; kNever if none is. Reminders begin one period
  /// after a handler has got the initial state.
  Clock::Mono next_resync() const;
  /// Starts a resync for the handlers that are due now. Returns its round, or 0 if none is due.
  std::uint32_t begin_resync();
  std::size_t backlog() const;

 private:
  struct Entry {
    std::shared_ptr<ProcessorListener> listener;  ///< shared with its registration
    Clock::Duration wanted{};
  };

  void drop_gone();
  void introduce(ProcessorListener& listener, const std::stop_token& stop);
  /// The first reminder comes one period from now.
  void schedule_resyncs(std::span<ProcessorListener* const> listeners);

  const StoreReader& store_;
  const Clock& clock_;
  InformerCounters& counters_;
  const std::function<void()> wake_;
  const std::function<void()> drained_;

  // Used by the processor's thread only.
  bool threaded_ = false;
  std::vector<ProcessorListener*> active_;
  std::optional<SyncedEvent> synced_;

  mutable Mutex mu_;
  std::vector<Entry> entries_ KINF_GUARDED_BY(mu_);
  std::vector<ProcessorListener*> joining_ KINF_GUARDED_BY(mu_);
  std::uint32_t resyncs_ KINF_GUARDED_BY(mu_) = 0;
};

}  // namespace kinf
