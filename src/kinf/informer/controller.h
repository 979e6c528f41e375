// SPDX-License-Identifier: Apache-2.0
// Controller: runs one informer: a reflector that fills a queue, and a processor that applies the
// queue to the indexer and notifies the handlers (client-go: controller, processLoop).
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "kinf/informer/delta_applier.h"
#include "kinf/informer/interrupt.h"
#include "kinf/informer/mutation_detector.h"
#include "kinf/informer/reflector.h"
#include "kinf/informer/shared_processor.h"

namespace kinf {

/// Threads: call start() and stop() from one thread, or step() instead; call wake() and the const
/// functions from any thread. The controller owns two threads: `reflector` waits for the source or
/// for space in the queue, `processor` waits for the queue. The processor calls the handlers
/// without holding a lock.
class Controller final : private ReflectorHost {
 public:
  /// All references and `observer` (may be null) must outlive the controller.
  Controller(ListerWatcher& source, Indexer& indexer, SharedProcessor& processor, Clock& clock,
             const InformerOptions& options, InformerCounters& counters,
             InformerObserver* observer);
  ~Controller() override;

  /// Sets the shortest resync period of the handlers (0: no handler resyncs). Call it before
  /// start().
  void set_resync_check_period(Clock::Duration period) { resync_check_period_ = period; }

  /// Tells the controller that the indexer holds the objects of an earlier run. If `is_complete`,
  /// the first list does not count as the initial list. Call it before start().
  void set_restored(bool is_complete);

  /// Errors: internal, if the system provides no thread. The controller has then stopped.
  Result<void> start();
  /// Asks both threads to stop and returns at once. Call it from any thread.
  void request_stop();
  /// Stops both threads and waits for them and for running callbacks. Do not call it from a
  /// handler.
  void stop();

  /// Calls start(), waits for `stop` or for request_stop() on another thread, then calls stop().
  Result<void> run(const std::stop_token& stop);

  /// Does one small piece of work on the calling thread. Use it instead of start().
  StepResult step(StepPart part = StepPart::all);
  /// Ends an informer that runs through step().
  void finish();

  /// Makes the processor check for handlers that were added or removed.
  void wake() { interrupt_.wake(); }

  bool has_synced() const;
  /// Waits for has_synced(). Returns false on stop, at the deadline, or when the controller ends.
  bool wait_for_sync(Clock::Mono deadline, const std::stop_token& stop) const;
  /// Waits until the processor ends or `stop` is requested.
  void wait_for_end(const std::stop_token& stop) const;
  std::string last_sync_resource_version() const { return reflector_.last_sync_resource_version(); }
  std::optional<Error> last_error() const { return reflector_.last_error(); }
  /// Returns the number of queued deltas, plus 1 while popped deltas are applied and distributed.
  std::size_t queued() const { return queue_->depth() + (is_distributing_.load() ? 1 : 0); }
  std::vector<Deltas> queued_changes() const { return queue_->snapshot(); }

 private:
  struct PendingRelist {
    std::uint32_t round = 0;
    Relisted report{};
    bool is_queued = false;  ///< whether the queue holds all deltas of the list
    /// The list is applied when popped_ reaches this value. Empty until is_queued.
    std::optional<std::uint64_t> applied_at{};
  };

  /// Returns the stored object if its uid and resourceVersion are those of `facts`, else null. The
  /// source calls this function to avoid decoding an object that the cache already holds.
  ObjectPtr held(const ObjectFacts& facts) const;
  Clock::Duration resync_check_period() const override { return resync_check_period_; }
  Clock::Mono next_resync() const override { return processor_.next_resync(); }
  std::uint32_t begin_resync() override { return processor_.begin_resync(); }
  void relisting(std::uint32_t round, Relisted list) override;
  void first_list(const std::string& version) override;
  void list_queued() override;

  void run_processor(const std::stop_token& stop);
  /// Does the work that is ready, without waiting. Returns false if there was none.
  bool process_one(const std::stop_token& stop);
  Result<void> take(Popped& popped);
  void note_arrival(const Delta& delta);
  void distribute(const Result<void>& applied, const std::stop_token& stop);
  void end();
  bool announce_synced(const std::stop_token& stop);
  void announce_relists();
  void count_relisted();
  void report_relists();
  void report_index_errors();
  void note_for_mutations();
  void look_for_mutations();

  Indexer& indexer_;
  SharedProcessor& processor_;
  Clock& clock_;
  const InformerOptions& options_;
  InformerCounters& counters_;
  InformerObserver* const observer_;
  ListerWatcher& source_;
  std::unique_ptr<Queue> queue_;
  DeltaApplier applier_;
  Reflector reflector_;
  Interrupt interrupt_;
  Clock::Duration resync_check_period_{};

  bool restored_ = false;  ///< whether the first list does not count as the initial list
  // Used by the processor's thread only, except is_distributing_, which queued() reads.
  std::vector<Change> changes_;
  std::atomic<bool> is_distributing_{
      false};                 ///< true from take() to distribute(), while popped deltas are in use
  std::uint64_t popped_ = 0;  ///< deltas popped since the start; with QueueKind::delta, keys popped
  std::uint32_t reached_ = 0;    ///< the highest PendingRelist::round of the popped deltas
  std::uint32_t announced_ = 0;  ///< the last round for which on_relisting() was called
  bool has_arrived_ = false;     ///< a delta of a list or watch was popped since on_delivered()
  Delivered delivered_;          ///< the next report of on_delivered()
  std::uint64_t index_errors_ = 0;
  std::optional<MutationDetector> mutations_;  ///< empty unless detect_mutations is on

  mutable Mutex mu_;
  mutable CondVar state_changed_;
  bool synced_ KINF_GUARDED_BY(mu_) = false;
  bool ended_ KINF_GUARDED_BY(mu_) = false;
  std::string first_version_ KINF_GUARDED_BY(mu_);  ///< resourceVersion of the first list
  /// Relists (every list except the first) that on_relisted() has not reported yet. Sorted by
  /// round, lowest first.
  std::deque<PendingRelist> relists_ KINF_GUARDED_BY(mu_);

  std::stop_source stop_;
  std::jthread reflector_thread_;
  std::jthread processor_thread_;
};

}  // namespace kinf
