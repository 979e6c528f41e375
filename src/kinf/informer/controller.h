// SPDX-License-Identifier: Apache-2.0
// Controller: runs one informer: a reflector that fills a queue, and a processor that applies the
// queue to the indexer and notifies the handlers (client-go: controller, processLoop).
#pragma once

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

/// Threads: start() and stop() from one thread, or step() instead; wake() and the const functions
/// from any. Owns two threads: `reflector` (waits on the source, or for room in the queue) and
/// `processor` (waits on the queue). Handlers are called by the processor, under no lock.
class Controller final : private ReflectorHost {
 public:
  /// All references, and `observer` unless null, outlive the controller.
  Controller(ListerWatcher& source, Indexer& indexer, SharedProcessor& processor, Clock& clock,
             const InformerOptions& options, InformerCounters& counters,
             InformerObserver* observer);
  ~Controller() override;

  /// Before start: the shortest resync period of the handlers; 0: no handler has one.
  void set_resync_check_period(Clock::Duration period) { resync_check_period_ = period; }

  void start();
  /// Asks both threads to stop and returns at once. From any thread.
  void request_stop();
  /// The same, and waits for them and for running callbacks; not from a handler.
  void stop();

  /// start(), waits for `stop` or for request_stop() from elsewhere, stop().
  void run(const std::stop_token& stop);

  /// Instead of threads: one unit of work.
  StepResult step();
  /// Ends the informer that step() has run.
  void finish();

  /// Makes the processor check for handlers that were added or removed.
  void wake() { interrupt_.wake(); }

  bool has_synced() const;
  /// Waits for has_synced(). Returns false on stop, at the deadline, or when the controller ends.
  bool wait_for_sync(Clock::Mono deadline, const std::stop_token& stop) const;
  /// Waits until the processor has ended, or `stop`.
  void wait_for_end(const std::stop_token& stop) const;
  std::string last_sync_resource_version() const { return reflector_.last_sync_resource_version(); }
  std::optional<Error> last_error() const { return reflector_.last_error(); }
  std::size_t queued() const { return queue_->depth(); }

 private:
  struct PendingRelist {
    std::uint32_t round = 0;
    Relisted report{};
    bool is_queued = false;  ///< all of it is in the queue
    /// It is applied when this many units have been popped; known once it is queued.
    std::optional<std::uint64_t> applied_at{};
  };

  /// The stored object, if it is in the state of `facts`. Decides this before an object is made;
  /// DeltaApplier decides what is a change.
  ObjectPtr held(const ObjectFacts& facts) const;
  Clock::Duration resync_check_period() const override { return resync_check_period_; }
  Clock::Mono next_resync() const override { return processor_.next_resync(); }
  std::uint32_t begin_resync() override { return processor_.begin_resync(); }
  void relisting(std::uint32_t round, Relisted list) override;
  void list_queued(const std::string& version) override;

  void run_processor(const std::stop_token& stop);
  /// Does the work that needs no waiting. Returns false if there was none.
  bool process_one(const std::stop_token& stop);
  Result<> take(Popped& popped);
  void distribute(const Result<>& applied, const std::stop_token& stop);
  void end();
  bool announce_synced(const std::stop_token& stop);
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

  // Used by the processor's thread only.
  std::vector<Change> changes_;
  std::uint64_t popped_ = 0;  ///< units of the queue, since the start
  std::uint64_t index_errors_ = 0;
  std::optional<MutationDetector> mutations_;  ///< if enabled

  mutable Mutex mu_;
  mutable CondVar state_changed_;
  bool synced_ KINF_GUARDED_BY(mu_) = false;
  bool ended_ KINF_GUARDED_BY(mu_) = false;
  std::string first_version_ KINF_GUARDED_BY(mu_);  ///< of the first list
  /// In the order of their rounds, until they are reported.
  std::deque<PendingRelist> relists_ KINF_GUARDED_BY(mu_);

  std::stop_source stop_;
  std::jthread reflector_thread_;
  std::jthread processor_thread_;
};

}  // namespace kinf
