// SPDX-License-Identifier: Apache-2.0
// SharedProcessor: all handlers of one informer: lets them in, tells them what changed, reminds
// those whose resync is due (client-go: sharedProcessor).
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

/// Threads: add(), take_due() and the questions from any thread; the others from the processor's.
/// A handler that comes late is let in by the processor's thread, between two changes: that is
/// what makes sure that it is shown each object once and misses nothing.
class SharedProcessor {
 public:
  /// `wake` is called after add() and must make the processor's thread call admit(). All
  /// references outlive this.
  SharedProcessor(const StoreReader& store, const Clock& clock, InformerCounters& counters,
                  std::function<void()> wake);

  /// `period`: see HandlerOptions::resync, decided by the caller.
  HandlerRegistration add(EventHandler& handler, const HandlerOptions& options,
                          Clock::Duration period);
  /// Sets every handler's period anew, from the one it asked for.
  void update_periods(const std::function<Clock::Duration(Clock::Duration wanted)>& effective);

  /// Queued handlers get threads from now on, also those that come later.
  void start_threads() { threaded_ = true; }
  /// Lets in who has come and drops who has gone; true if somebody came.
  bool admit(const std::stop_token& stop);
  void distribute(std::span<const Change> changes, const std::stop_token& stop);
  /// The first list has been distributed.
  void announce_synced(const SyncedEvent& synced, const std::stop_token& stop);
  void idle();
  /// Without threads: delivers what waits.
  bool pump();
  /// Ends all threads, waiting for running calls.
  void finish();

  /// Whether a reminder is due for anybody, who is then marked for it.
  bool take_due();
  std::size_t backlog() const;

 private:
  struct Entry {
    std::shared_ptr<ProcessorListener> listener;  ///< shared with its registration
    Clock::Duration wanted{};
  };

  void drop_gone();
  void introduce(ProcessorListener& listener, const std::stop_token& stop);

  const StoreReader& store_;
  const Clock& clock_;
  InformerCounters& counters_;
  const std::function<void()> wake_;

  // Of the processor's thread.
  bool threaded_ = false;
  std::vector<ProcessorListener*> active_;
  std::optional<SyncedEvent> synced_;

  mutable Mutex mu_;
  std::vector<Entry> entries_ KINF_GUARDED_BY(mu_);
  std::vector<ProcessorListener*> joining_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
