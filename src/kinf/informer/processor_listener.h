// SPDX-License-Identifier: Apache-2.0
// ProcessorListener: one registered handler, the changes that wait for it, and the calls to it.
// Belongs to a SharedProcessor; users hold a HandlerRegistration.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/informer/handler_options.h"
#include "kinf/informer/informer_counters.h"
#include "kinf/informer/listener_queue.h"

namespace kinf {

/// Threads: notify() and idle_direct() from the processor's thread; close() and the const functions
/// from any. The handler is called from the processor's thread (direct) or from the listener's own
/// (queued; from pump() if start() was not called), under no lock. Exceptions are caught, logged
/// and counted, and the change counts as delivered (client-go's process dies, or its registration
/// never syncs: kubernetes#129024).
class ProcessorListener {
 public:
  /// Handler and counters outlive this. A queued listener calls `drained` (may be empty) from its
  /// own thread whenever it has delivered everything that was queued.
  ProcessorListener(EventHandler& handler, const HandlerOptions& options,
                    InformerCounters& counters, std::function<void()> drained = {});
  ~ProcessorListener();
  ProcessorListener(const ProcessorListener&) = delete;
  ProcessorListener& operator=(const ProcessorListener&) = delete;

  /// Calls the handler, or queues for it. Waits only if queued with WhenFull::block and the queue
  /// is full, until `stop`.
  void notify(const Change& change, const std::stop_token& stop);
  void notify(const SyncedEvent& synced, const std::stop_token& stop);
  /// Calls on_idle() of a direct handler. For a queued one, its own thread does that.
  void idle_direct() {
    if (options_.delivery == Delivery::direct) idle();
  }

  /// Gives a queued handler its thread.
  void start();
  /// Ends the thread; waits for a running call. Changes that still wait count as undelivered.
  void finish();
  /// Without a thread: delivers what waits. Returns true if there was something.
  bool pump();

  /// No call after this. Waits for a running call, unless the caller is inside a callback of an
  /// informer: two handlers that remove each other must not wait for each other.
  void close();
  bool is_closed() const { return closed_.load(); }
  /// Closed, and the thread (if any) has seen it: destroying this will not wait.
  bool is_finished() const { return is_closed() && !thread_running_.load(); }

  /// The last addition of the initial state has been handled.
  bool has_synced() const { return synced_.load(); }
  std::size_t backlog() const;

  // For resync: written by the SharedProcessor, under its lock.
  std::atomic<Clock::Duration> resync_period{Clock::Duration()};
  Clock::Mono next_resync = Clock::kNever;
  std::atomic<std::uint32_t> resync_round{0};  ///< the last one for this handler
  /// client_go: whether this handler gets updates between equal versions. True until the first
  /// resync, then while a resync is due.
  std::atomic<bool> is_syncing{true};
  bool wants_reminder(const ChangeOrigin& origin) const {
    if (origin.source == ChangeSource::resync) return origin.round == resync_round.load();
    return is_syncing.load();
  }

 private:
  template <class Event>
  void pass_on(const Event& event, const std::stop_token& stop);
  void enqueue(ListenerQueue::Item item, const std::stop_token& stop);
  /// Returns false if nothing waits.
  bool deliver_next();
  void idle();
  void run(const std::stop_token& stop);
  void deliver(const Change& change);
  void deliver(const SyncedEvent& synced);
  /// Runs `call` as the handler's call; false if the listener is closed.
  template <class Call>
  bool guarded(const Call& call);

  EventHandler& handler_;
  const HandlerOptions options_;
  InformerCounters& counters_;
  const std::function<void()> drained_;
  std::atomic<bool> closed_{false};
  std::atomic<bool> synced_{false};
  std::atomic<bool> thread_running_{false};
  bool called_since_idle_ = false;  ///< of the thread that calls the handler

  mutable Mutex mu_;
  CondVar arrived_;
  CondVar taken_;
  ListenerQueue waiting_ KINF_GUARDED_BY(mu_);

  mutable Mutex call_mu_;
  CondVar call_over_;
  bool is_calling_ KINF_GUARDED_BY(call_mu_) = false;

  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace kinf
