// SPDX-License-Identifier: Apache-2.0
// ProcessorListener: calls one registered handler and holds the changes that wait for it. Belongs
// to a SharedProcessor. Users hold a HandlerRegistration.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/informer/handler_registration.h"
#include "kinf/informer/user_call.h"

namespace kinf {

// ListenerQueue: the changes that wait for one handler. Can merge changes of the same object when
// the queue is full. ProcessorListener adds locking and waiting.

/// The changes that wait for one handler. client-go's processorListener instead keeps every change
/// in a ring buffer of unlimited size.
/// Threads: one thread at a time.
class ListenerQueue {
 public:
  using Item = std::variant<Change, SyncedEvent>;

  void push(Item item);
  /// Merges the item with the waiting changes of the same object, or appends it. Returns the number
  /// of changes that were merged, which the handler does not get. Keeps the order of changes per
  /// object, but not across objects.
  std::uint64_t fold(Item item);
  /// Removes and returns the oldest item. The queue must not be empty.
  Item pop();

  /// Returns a copy of the waiting changes, oldest first.
  std::vector<Change> changes() const;
  std::size_t size() const { return waiting_.size(); }
  bool empty() const { return waiting_.empty(); }

 private:
  using Position = std::list<Item>::iterator;
  /// The last waiting change of a key. If the previous waiting change of that key is a deletion,
  /// `deletion` is that change, otherwise end().
  struct Tail {
    Position last;
    Position deletion;
  };

  void index(Position position);
  std::uint64_t fold_into(Tail& tail, Change& change);

  std::list<Item> waiting_;
  /// Last changes by key. Maintained only from the first fold() until the queue is empty, because
  /// most queues never fill up.
  std::unordered_map<std::string, Tail> tails_;
  bool indexed_ = false;  ///< whether tails_ is maintained
};

/// Returns a pointer to a handler that its user keeps.
inline std::shared_ptr<EventHandler> borrowed(EventHandler& handler) {
  return {std::shared_ptr<void>(), &handler};
}

/// Calls one handler, directly or from a queue.
/// Threads: call close() and the const functions from any thread, all others from the processor's
/// thread. The handler is called without a lock: from the processor's thread (direct), or from the
/// listener's own thread or pump() (queued). Exceptions are caught, logged and counted, and the
/// change counts as delivered. In client-go, a panic ends the process, or the registration never
/// syncs (kubernetes#129024).
class ProcessorListener {
 public:
  /// Keeps `handler`. `counters` must outlive the listener. A queued listener calls `drained` (may
  /// be empty) from its own thread whenever its queue becomes empty.
  ProcessorListener(std::shared_ptr<EventHandler> handler, const HandlerOptions& options,
                    InformerCounters& counters, std::function<void()> drained = {});
  ~ProcessorListener();
  ProcessorListener(const ProcessorListener&) = delete;
  ProcessorListener& operator=(const ProcessorListener&) = delete;

  /// Calls the handler's on_known(). Call it before start() and notify().
  void restore(const Change& known);
  /// Calls a direct handler, or appends to the queue of a queued handler. Blocks only if that queue
  /// is full and the handler uses WhenFull::block. `stop` ends the wait.
  void notify(const Change& change, const std::stop_token& stop);
  void notify(const SyncedEvent& synced, const std::stop_token& stop);
  /// Calls on_idle() of a direct handler. A queued handler's own thread calls its on_idle().
  void idle_direct() {
    if (options_.delivery == Delivery::direct) idle();
  }

  /// Starts the thread of a queued handler. If the system provides none, logs it and delivers
  /// directly from now on. Call it before notify().
  void start();
  /// Ends the thread and waits for a running call. Counts the waiting changes as undelivered.
  void finish();
  /// Delivers waiting changes on the calling thread while HandlerOptions::is_ready returns true.
  /// Returns whether it delivered any. Use it instead of start().
  bool pump();

  /// Ends all calls to the handler. Waits for a running call, except when it is called inside a
  /// callback of an informer, because two handlers that remove each other must not wait for each
  /// other.
  void close();
  bool is_closed() const { return closed_.load(); }
  /// Returns whether the listener is closed and its thread has ended, so that the destructor does
  /// not wait.
  bool is_finished() const { return is_closed() && !thread_running_.load(); }

  /// Returns whether the handler has processed the whole initial list: true once its on_synced()
  /// has returned.
  bool has_synced() const { return synced_.load(); }
  /// Returns the number of changes that wait for the handler or are being processed by it.
  std::size_t backlog() const;
  /// Returns a copy of the changes that wait for the handler, oldest first.
  std::vector<Change> waiting() const;

  // The resync state of the handler. The SharedProcessor writes it under its lock.
  std::atomic<Clock::Duration> resync_period{Clock::Duration()};  ///< 0: never
  Clock::Mono next_resync = Clock::kNever;
  std::atomic<std::uint32_t> resync_round{0};  ///< round of the handler's last resync
  /// Behaviour::client_go: whether the handler gets updates whose old and new object have the same
  /// resourceVersion. True until the first resync; after it, true if the last resync included this
  /// handler.
  std::atomic<bool> is_syncing{true};
  bool wants_reminder(const ChangeOrigin& origin) const {
    if (origin.source == ChangeSource::resync) return origin.round == resync_round.load();
    return is_syncing.load();
  }

 private:
  template <class Event>
  void pass_on(const Event& event, const std::stop_token& stop);
  void enqueue(ListenerQueue::Item item, const std::stop_token& stop);
  /// Delivers the oldest waiting item. Returns false if there is none.
  bool deliver_next();
  bool is_ready() const { return !options_.is_ready || options_.is_ready(); }
  void idle();
  void run(const std::stop_token& stop);
  void deliver(const Change& change);
  void deliver(const SyncedEvent& synced);
  /// Runs `call`, which calls the handler for `event`, the key of an object or the name of a
  /// function, and catches exceptions. Returns false if the listener is closed.
  template <class Call>
  bool guarded(std::string_view event, const Call& call);

  const std::shared_ptr<EventHandler> handler_;
  HandlerOptions options_;
  InformerCounters& counters_;
  const std::function<void()> drained_;
  std::atomic<bool> closed_{false};
  std::atomic<bool> synced_{false};
  std::atomic<bool> thread_running_{false};
  bool called_since_idle_ = false;  ///< used only by the thread that calls the handler

  mutable Mutex mu_;
  CondVar arrived_;
  CondVar taken_;
  ListenerQueue waiting_ KINF_GUARDED_BY(mu_);
  bool is_delivering_ KINF_GUARDED_BY(mu_) = false;

  mutable Mutex call_mu_;
  CondVar call_over_;
  bool is_calling_ KINF_GUARDED_BY(call_mu_) = false;

  std::jthread thread_;  // last member, because the thread uses all others
};

}  // namespace kinf
