// SPDX-License-Identifier: Apache-2.0
// SharedProcessor: manages the handlers of one informer. Adds and removes handlers, passes changes
// to them and schedules resyncs (client-go: sharedProcessor).
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

/// Threads: call add(), begin_resync() and the const functions from any thread, and the others from
/// the processor's thread. That thread also starts handlers that are added later, between two
/// batches of changes, so that they get each object once and miss no change.
class SharedProcessor {
 public:
  /// add() calls `wake`, which must make the processor's thread call admit(). The thread of a
  /// queued handler calls `drained` (may be empty) whenever its queue becomes empty. All references
  /// must outlive the processor.
  SharedProcessor(const StoreReader& store, const Clock& clock, InformerCounters& counters,
                  std::function<void()> wake, std::function<void()> drained = {});

  /// Registers a handler, and keeps it as long as it may be called. `period` is its effective
  /// resync period; options.resync is the requested one.
  HandlerRegistration add(std::shared_ptr<EventHandler> handler, const HandlerOptions& options,
                          Clock::Duration period);
  /// Recomputes the effective resync period of every handler from the requested one.
  void update_periods(const std::function<Clock::Duration(Clock::Duration wanted)>& effective);

  /// Records that the store holds the objects of an earlier run. Until the first call of
  /// distribute() or announce_synced(), admit() then passes these objects to
  /// EventHandler::on_known(). Call it before start_threads().
  void set_restored() { restored_ = true; }
  /// Makes admit() start a thread for each new queued handler.
  void start_threads() { threaded_ = true; }
  /// Starts new handlers and removes closed ones. Returns whether there were new handlers.
  bool admit(const std::stop_token& stop);
  void distribute(std::span<const Change> changes, const std::stop_token& stop);
  /// Call it after the initial list was distributed. Notifies the handlers and starts their resync
  /// periods.
  void announce_synced(const SyncedEvent& synced, const std::stop_token& stop);
  void idle();
  /// Delivers the waiting changes on the calling thread. Use it instead of threads.
  bool pump();
  /// Ends all threads. Waits for running calls.
  void finish();

  /// Returns when the next resync of any handler is due; kNever if no handler resyncs. The first
  /// resync is due one period after the initial list was distributed to the handler.
  Clock::Mono next_resync() const;
  /// Starts a resync of the handlers that are due. Returns its number, called the round, or 0 if no
  /// handler is due.
  std::uint32_t begin_resync();
  std::size_t backlog() const;

 private:
  struct Entry {
    std::shared_ptr<ProcessorListener> listener;  ///< shared with the HandlerRegistration
    Clock::Duration wanted{};                     ///< requested resync period
  };

  void drop_gone();
  void introduce(ProcessorListener& listener, const std::stop_token& stop);
  void restore(ProcessorListener& listener);
  Change initial_change(ObjectPtr object) const;
  /// Schedules the first resync of `listeners` one period from now.
  void schedule_resyncs(std::span<ProcessorListener* const> listeners);

  const StoreReader& store_;
  const Clock& clock_;
  InformerCounters& counters_;
  const std::function<void()> wake_;
  const std::function<void()> drained_;

  // Used by the processor's thread only.
  bool threaded_ = false;
  bool restored_ = false;  ///< the store still holds the state of an earlier run
  std::vector<ProcessorListener*> active_;
  std::optional<SyncedEvent> synced_;

  mutable Mutex mu_;
  std::vector<Entry> entries_ KINF_GUARDED_BY(mu_);
  std::vector<ProcessorListener*> joining_ KINF_GUARDED_BY(mu_);
  std::uint32_t resyncs_ KINF_GUARDED_BY(mu_) = 0;
};

}  // namespace kinf
