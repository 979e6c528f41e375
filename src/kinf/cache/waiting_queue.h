// SPDX-License-Identifier: Apache-2.0
// WaitingQueue: what InOrderFifo and DeltaFifo have in common: the lock, the waits, the bound, and
// the account of the first list. How deltas are kept and in which units they leave is theirs.
#pragma once

#include <cstddef>

#include "kinf/base/sync.h"
#include "kinf/cache/functions.h"
#include "kinf/cache/known_objects.h"
#include "kinf/cache/queue.h"

namespace kinf {

/// Two condition variables keep consumers and producers apart, where client-go has one for both.
/// Threads: as Queue; the functions of derived classes that end in `_locked` with mu_ held.
class WaitingQueue : public Queue {
 public:
  bool has_room() const final;
  Result<> pop(const PopHandler& handler, const std::stop_token& stop) final;
  Result<bool> try_pop(const PopHandler& handler) final;
  Result<> pop_batch(const PopHandler& handler, const std::stop_token& stop) final;
  Result<bool> try_pop_batch(const PopHandler& handler) final;
  void close() final;
  bool is_closed() const final;
  bool has_synced() const final;
  std::size_t depth() const final;

 protected:
  enum class Unit { single, batch };
  /// What left the queue, and how many units of the first list that was.
  struct Taken {
    Popped popped;
    std::size_t initial_units = 0;
  };

  explicit WaitingQueue(std::size_t capacity) : capacity_(capacity) {}

  virtual std::size_t depth_locked() const KINF_REQUIRES(mu_) = 0;
  /// Removes the next unit; called only when there is one. is_in_initial_list is filled in by the
  /// caller.
  virtual Taken take_locked(Unit unit) KINF_REQUIRES(mu_) = 0;

  bool has_room_locked() const KINF_REQUIRES(mu_) { return bounded_ < capacity_ || closed_; }
  /// Waits until there is room for a single change; fails with kind `stopped` on stop.
  Result<> wait_for_room_locked(const std::stop_token& stop) KINF_REQUIRES(mu_);
  /// Waits until what was popped has been applied to the known objects.
  Result<> wait_until_applied_locked(const std::stop_token& stop) KINF_REQUIRES(mu_);
  void notify_consumer() { arrived_.notify_one(); }

  /// A single change before any list: nothing queued is "initial" any more.
  void mark_populated_locked() KINF_REQUIRES(mu_) { populated_ = true; }
  /// The first list makes `units` units initial; later ones change nothing.
  void mark_first_list_locked(std::size_t units) KINF_REQUIRES(mu_);
  std::size_t initial_units_left_locked() const KINF_REQUIRES(mu_) { return initial_left_; }

  /// Whether a delta counts against the bound: only what single changes add does.
  static bool is_bounded(const Delta& delta);

  mutable Mutex mu_;
  /// Deltas queued for which is_bounded() holds.
  std::size_t bounded_ KINF_GUARDED_BY(mu_) = 0;

 private:
  bool synced_locked() const KINF_REQUIRES(mu_) { return populated_ && initial_left_ == 0; }
  /// Hands the next unit to `handler`. With `wait_stop` it waits for one, else false if there is
  /// none.
  Result<bool> pop_unit(Unit unit, const PopHandler& handler, const std::stop_token* wait_stop);
  Result<Taken> next_locked(Unit unit, const std::stop_token* wait_stop) KINF_REQUIRES(mu_);
  void wait_locked(const std::stop_token& stop) KINF_REQUIRES(mu_);

  const std::size_t capacity_;
  CondVar arrived_;  ///< consumers: something to pop, or closed
  CondVar settled_;  ///< producers: something was popped or applied, or closed
  std::size_t waiting_producers_ KINF_GUARDED_BY(mu_) = 0;
  std::size_t in_process_ KINF_GUARDED_BY(mu_) = 0;  ///< units popped and not yet applied
  bool closed_ KINF_GUARDED_BY(mu_) = false;
  bool populated_ KINF_GUARDED_BY(mu_) = false;
  /// Units of the first list not yet applied.
  std::size_t initial_left_ KINF_GUARDED_BY(mu_) = 0;
};

}  // namespace kinf
