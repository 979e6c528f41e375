// SPDX-License-Identifier: Apache-2.0
// Queue: carries changes from the reflector, which learns of them, to the controller, which applies
// them. InOrderFifo and DeltaFifo decide how changes are kept and in which units they leave.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <unordered_set>
#include <vector>

#include "kinf/base/sync.h"
#include "kinf/cache/delta.h"
#include "kinf/cache/functions.h"
#include "kinf/cache/store_reader.h"

namespace kinf {

/// What one pop hands over; the handler may move from it.
struct Popped {
  /// Without is_batch: what happened to one key (or to all), in order. With is_batch: two or more
  /// deltas of distinct keys, to be applied as one transaction.
  Deltas deltas;
  bool is_in_initial_list = false;
  bool is_batch = false;
};

/// Applies what was popped. Runs without any lock of the queue. The pop returns its error; the
/// deltas are not put back. Must not return kind `stopped`, nor call anything of the same queue
/// that waits until what was popped has been applied.
using PopHandler = std::function<Result<>(Popped&)>;

/// Threads: every call from any thread, one consumer at a time. Functions of derived classes that
/// end in `_locked` run with mu_ held.
///
/// The bound (`capacity`) applies to single changes; a list, a relist and a resync are exempt,
/// because their objects exist anyway. add, update, remove and bookmark wait while the queue is
/// full, until there is room, stop is requested (kind `stopped`, nothing is queued) or the queue is
/// closed. A producer that must not block asks has_room() first: with one producer, the next change
/// then does not wait.
///
/// Where what is stored decides what is queued (replace and resync of a queue with known objects,
/// DeltaFifo's remove), the call also waits until what was popped has been applied.
class Queue {
 public:
  virtual ~Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  Result<> add(ObjectPtr object, const ChangeOrigin& origin, const std::stop_token& stop = {});
  Result<> update(ObjectPtr object, const ChangeOrigin& origin, const std::stop_token& stop = {});
  virtual Result<> remove(ObjectPtr object, const ChangeOrigin& origin,
                          const std::stop_token& stop = {}) = 0;
  virtual Result<> remove(DeletedObject tombstone, const ChangeOrigin& origin,
                          const std::stop_token& stop = {}) = 0;
  /// A complete list: queues its objects, and deletions for what it no longer holds.
  virtual Result<> replace(std::vector<ObjectPtr> objects, std::string resource_version,
                           const ChangeOrigin& origin, const std::stop_token& stop = {}) = 0;
  /// Queues a reminder of everything stored that has no change queued: what is queued is newer.
  virtual Result<> resync(const ChangeOrigin& origin, const std::stop_token& stop = {});
  /// Queues a newer resourceVersion without an object, if the queue can carry one.
  virtual Result<> bookmark(std::string resource_version, const ChangeOrigin& origin,
                            const std::stop_token& stop = {}) = 0;

  /// Whether the next single change would be taken without waiting for room.
  bool has_room() const;

  /// Waits for something to hand to `handler`. Fails with the handler's error, or with kind
  /// `stopped`: at once on stop, after what is queued has been popped on close.
  Result<> pop(const PopHandler& handler, const std::stop_token& stop);
  /// The same without waiting: false if nothing is queued.
  Result<bool> try_pop(const PopHandler& handler);
  /// As pop, but hands over as many deltas as may be applied together. A queue without batches
  /// pops one unit.
  Result<> pop_batch(const PopHandler& handler, const std::stop_token& stop);
  Result<bool> try_pop_batch(const PopHandler& handler);

  /// Wakes all waiting calls. What is queued can still be popped, and changes are still taken.
  void close();
  bool is_closed() const;

  /// The first list has been popped and applied, or a single change came before any list. Once
  /// true, always true.
  bool has_synced() const;
  /// How many units wait: deltas of an InOrderFifo, keys of a DeltaFifo.
  std::size_t depth() const;

 protected:
  enum class Unit { single, batch };
  /// What left the queue, and how many units of the first list that was.
  struct Taken {
    Popped popped;
    std::size_t initial_units = 0;
  };

  /// `known_objects`, unless null, outlives the queue.
  Queue(KeyFunction key_function, Transform transform, const KnownObjects* known_objects,
        std::size_t capacity);

  virtual std::size_t depth_locked() const KINF_REQUIRES(mu_) = 0;
  virtual std::unordered_set<std::string> queued_keys_locked() const KINF_REQUIRES(mu_) = 0;
  virtual void push_locked(Delta delta) KINF_REQUIRES(mu_) = 0;
  /// Removes the next unit; called only when there is one. The caller fills in is_in_initial_list.
  virtual Taken take_locked(Unit unit) KINF_REQUIRES(mu_) = 0;

  Result<std::string> key_of(const Object& object) const {
    return kinf::key_of(key_function_, object);
  }
  /// The delta of a list item or a change, with its object transformed.
  Result<Delta> delta_of(DeltaType type, std::string key, ObjectPtr object,
                         const ChangeOrigin& origin) const;
  /// Queues a single change.
  Result<> change(DeltaType type, ObjectPtr object, const ChangeOrigin& origin,
                  const std::stop_token& stop);
  Result<> enqueue(Delta delta, const std::stop_token& stop);
  /// Queues tombstones for the known objects that are neither in the list, given by its keys, nor
  /// queued. Returns their number.
  std::size_t push_known_deletions_locked(const std::unordered_set<std::string>& listed,
                                          const ChangeOrigin& origin) KINF_REQUIRES(mu_);

  bool has_room_locked() const KINF_REQUIRES(mu_) { return bounded_ < capacity_ || closed_; }
  /// Waits until there is room for a single change; fails with kind `stopped` on stop.
  Result<> wait_for_room_locked(const std::stop_token& stop) KINF_REQUIRES(mu_);
  /// Waits until what was popped has been applied to the known objects.
  Result<> wait_until_applied_locked(const std::stop_token& stop) KINF_REQUIRES(mu_);
  void notify_consumer() { arrived_.notify_one(); }

  /// A single change before any list: from now on nothing queued counts as initial.
  void mark_populated_locked() KINF_REQUIRES(mu_) { populated_ = true; }
  /// The first list makes `units` units initial; later ones change nothing.
  void mark_first_list_locked(std::size_t units) KINF_REQUIRES(mu_);
  std::size_t initial_units_left_locked() const KINF_REQUIRES(mu_) { return initial_left_; }

  /// Whether a delta counts against the bound: only single changes do.
  static bool is_bounded(const Delta& delta);

  const KeyFunction key_function_;
  const Transform transform_;
  const KnownObjects* const known_objects_;
  mutable Mutex mu_;
  /// Queued deltas for which is_bounded() holds.
  std::size_t bounded_ KINF_GUARDED_BY(mu_) = 0;

 private:
  bool synced_locked() const KINF_REQUIRES(mu_) { return populated_ && initial_left_ == 0; }
  /// Hands the next unit to `handler`. With `wait_stop` it waits for one; without, it returns false
  /// if there is none.
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
  std::size_t initial_left_ KINF_GUARDED_BY(mu_) = 0;  ///< units of the first list to be applied
};

}  // namespace kinf
