// SPDX-License-Identifier: Apache-2.0
// Queue: carries changes from the reflector to the controller, which applies them to the store. A
// pop removes one unit: a single delta of an InOrderFifo, or all deltas of one key of a DeltaFifo.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "kinf/api/change.h"
#include "kinf/base/sync.h"
#include "kinf/cache/functions.h"
#include "kinf/cache/store_reader.h"

namespace [[gnu::visibility("default")]] kinf {

// Delta: a queued change to one object, or to all objects.

enum class DeltaType {
  added,
  updated,
  deleted,
  replaced,      ///< the object was in a list
  sync,          ///< a periodic resync; nothing changed
  replaced_all,  ///< a complete list, from an atomic InOrderFifo
  sync_all,      ///< a resync of every stored object, from an atomic InOrderFifo
  bookmark,      ///< a new resourceVersion, without an object
};

/// Returns client-go's name: `Added`, `ReplacedAll`.
std::string_view to_string(DeltaType type);

/// A deletion inferred from a list that no longer contains the object (client-go:
/// DeletedFinalStateUnknown).
struct DeletedObject {
  std::string key;
  ObjectPtr object;  ///< the last known state, which may be stale; null if there is none
};

struct Delta {
  DeltaType type = DeltaType::added;
  /// For deleted: whether the deletion was inferred from a list. If so, `object` is the last known
  /// state, or null.
  bool is_tombstone = false;
  ChangeOrigin origin{};
  /// The object's key; empty for replaced_all, sync_all and bookmark.
  std::string key{};
  ObjectPtr object{};
  std::string resource_version{};    ///< set for replaced_all and bookmark
  std::vector<ObjectPtr> objects{};  ///< set for replaced_all, in the order of the list
};

Delta tombstone_delta(std::string key, ObjectPtr last_known, const ChangeOrigin& origin);

/// The changes of one key or of a batch, oldest first. Never empty when popped.
using Deltas = std::vector<Delta>;

/// The result of one pop. The handler may move from it.
struct Popped {
  /// If is_batch is false, the changes of one key (or one change of all objects), in order. If
  /// is_batch is true, two or more deltas of distinct keys, to be applied as one transaction.
  Deltas deltas;
  bool is_in_initial_list = false;
  bool is_batch = false;
};

/// Applies the popped deltas. Called without a lock of the queue. If the handler fails, pop()
/// returns its error and the deltas are lost. The handler must not return kind `stopped`, and must
/// not call a function of the same queue that waits until popped deltas have been applied.
using PopHandler = std::function<Result<void>(Popped&)>;

/// Threads: every call from any thread, one consumer at a time. Functions that end in `_locked` are
/// called with mu_ held.
///
/// The limit (`capacity`) applies to single changes only. Lists and resyncs are exempt, because
/// their objects are already in memory. While the queue is full, add(), update(), remove() and
/// bookmark() wait until there is room, stop is requested (then they return kind `stopped` and
/// queue nothing), or the queue is closed. A producer that must not block calls has_room() first.
/// If there is only one producer and has_room() returns true, the producer's next change does not
/// wait.
///
/// Calls that read the known objects (replace(), resync(), and DeltaFifo's remove()) also wait
/// until all popped deltas have been applied.
class Queue {
 public:
  virtual ~Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  Result<void> add(ObjectPtr object, const ChangeOrigin& origin, const std::stop_token& stop = {});
  Result<void> update(ObjectPtr object, const ChangeOrigin& origin,
                      const std::stop_token& stop = {});
  virtual Result<void> remove(ObjectPtr object, const ChangeOrigin& origin,
                              const std::stop_token& stop = {}) = 0;
  virtual Result<void> remove(DeletedObject tombstone, const ChangeOrigin& origin,
                              const std::stop_token& stop = {}) = 0;
  /// Queues the objects of a complete list, and deletions of the objects that are no longer in the
  /// list.
  virtual Result<void> replace(std::vector<ObjectPtr> objects, std::string resource_version,
                               const ChangeOrigin& origin, const std::stop_token& stop = {}) = 0;
  /// Queues a `sync` delta for each stored object, except objects with a queued change, because the
  /// queued change is newer.
  virtual Result<void> resync(const ChangeOrigin& origin, const std::stop_token& stop = {});
  /// Queues a newer resourceVersion without an object, if the queue supports bookmarks.
  virtual Result<void> bookmark(std::string resource_version, const ChangeOrigin& origin,
                                const std::stop_token& stop = {}) = 0;

  /// Keeps the consumer asleep while a producer queues several changes, so that the consumer wakes
  /// once and pops the changes together. The destructor wakes the consumer. So does a producer that
  /// has to wait for room.
  class Batch {
   public:
    explicit Batch(Queue& queue);
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

   private:
    Queue& queue_;
  };

  /// Returns whether a single change can be queued now without waiting.
  bool has_room() const;

  /// Waits for the next unit and calls `handler` with it. Returns the handler's error. Returns kind
  /// `stopped` if stop is requested, or if the queue is closed and empty.
  Result<void> pop(const PopHandler& handler, const std::stop_token& stop);
  /// Like pop(), but does not wait: returns false if the queue is empty.
  Result<bool> try_pop(const PopHandler& handler);
  /// Like pop(), but pops as many deltas as may be applied together. A queue without batches pops
  /// one unit.
  Result<void> pop_batch(const PopHandler& handler, const std::stop_token& stop);
  Result<bool> try_pop_batch(const PopHandler& handler);

  /// Wakes all waiting calls. Queued deltas can still be popped, and changes can still be queued.
  void close();
  bool is_closed() const;

  /// Returns true once the initial list has been popped and applied, or if a single change was
  /// queued before any list. Never becomes false again.
  bool has_synced() const;
  /// Returns the number of queued units: deltas of an InOrderFifo, keys of a DeltaFifo.
  std::size_t depth() const;
  /// Returns a copy of the queued units, in the order of the pops, for diagnostics.
  std::vector<Deltas> snapshot() const;

 protected:
  enum class Unit { single, batch };
  /// The result of take_locked().
  struct Taken {
    Popped popped;
    std::size_t initial_units = 0;
  };

  /// `known_objects` may be null; otherwise it must outlive the queue.
  Queue(KeyFunction key_function, Transform transform, const KnownObjects* known_objects,
        std::size_t capacity);

  virtual std::size_t depth_locked() const KINF_REQUIRES(mu_) = 0;
  virtual std::vector<Deltas> snapshot_locked() const KINF_REQUIRES(mu_) = 0;
  virtual std::unordered_set<std::string> queued_keys_locked() const KINF_REQUIRES(mu_) = 0;
  virtual void push_locked(Delta delta) KINF_REQUIRES(mu_) = 0;
  /// Removes the next unit or batch. The queue must not be empty. Sets all members of the result
  /// except is_in_initial_list. initial_units is the number of units removed.
  virtual Taken take_locked(Unit unit) KINF_REQUIRES(mu_) = 0;

  Result<std::string> key_of(const Object& object) const {
    return kinf::key_of(key_function_, object);
  }
  /// Returns a delta with the transformed object.
  Result<Delta> delta_of(DeltaType type, std::string key, ObjectPtr object,
                         const ChangeOrigin& origin) const;
  /// Queues a single change.
  Result<void> change(DeltaType type, ObjectPtr object, const ChangeOrigin& origin,
                      const std::stop_token& stop);
  Result<void> enqueue(Delta delta, const std::stop_token& stop);
  /// Queues tombstones for the known objects that are not queued, and whose keys are not in
  /// `listed` (the keys of a list). Returns the number of tombstones.
  std::size_t push_known_deletions_locked(const std::unordered_set<std::string>& listed,
                                          const ChangeOrigin& origin) KINF_REQUIRES(mu_);

  bool has_room_locked() const KINF_REQUIRES(mu_) { return bounded_ < capacity_ || closed_; }
  /// Waits until there is room for a single change. Returns an error of kind `stopped` if stop is
  /// requested.
  Result<void> wait_for_room_locked(const std::stop_token& stop) KINF_REQUIRES(mu_);
  /// Waits until all popped deltas have been applied to the known objects.
  Result<void> wait_until_applied_locked(const std::stop_token& stop) KINF_REQUIRES(mu_);
  /// Wakes a waiting consumer, unless a Batch exists.
  void notify_consumer_locked() KINF_REQUIRES(mu_) {
    if (waiting_consumers_ > 0 && batches_ == 0) arrived_.notify_one();
  }

  /// Records that a single change was queued. If this happens before the first list, has_synced()
  /// is true from now on.
  void mark_populated_locked() KINF_REQUIRES(mu_) { populated_ = true; }
  /// If this is the first list or change, marks the next `units` units as the initial list.
  /// Otherwise does nothing.
  void mark_first_list_locked(std::size_t units) KINF_REQUIRES(mu_);
  std::size_t initial_units_left_locked() const KINF_REQUIRES(mu_) { return initial_left_; }

  /// Returns whether a delta counts against `capacity`: only single changes do.
  static bool is_bounded(const Delta& delta);

  const KeyFunction key_function_;
  const Transform transform_;
  const KnownObjects* const known_objects_;
  mutable Mutex mu_;
  /// The number of queued deltas for which is_bounded() is true.
  std::size_t bounded_ KINF_GUARDED_BY(mu_) = 0;

 private:
  bool synced_locked() const KINF_REQUIRES(mu_) { return populated_ && initial_left_ == 0; }
  /// Pops the next unit. If the queue is empty, waits if `wait_stop` is set, otherwise returns
  /// false.
  Result<bool> pop_unit(Unit unit, const PopHandler& handler, const std::stop_token* wait_stop);
  Result<Taken> next_locked(Unit unit, const std::stop_token* wait_stop) KINF_REQUIRES(mu_);
  void wait_locked(const std::stop_token& stop) KINF_REQUIRES(mu_);

  const std::size_t capacity_;
  CondVar arrived_;  ///< wakes consumers: a delta was queued, or the queue was closed
  CondVar settled_;  ///< wakes producers: deltas were popped or applied, or the queue was closed
  std::size_t waiting_producers_ KINF_GUARDED_BY(mu_) = 0;
  std::size_t waiting_consumers_ KINF_GUARDED_BY(mu_) = 0;
  std::size_t batches_ KINF_GUARDED_BY(mu_) = 0;
  std::size_t in_process_ KINF_GUARDED_BY(mu_) = 0;  ///< pops whose handler has not returned
  bool closed_ KINF_GUARDED_BY(mu_) = false;
  bool populated_ KINF_GUARDED_BY(mu_) = false;
  std::size_t initial_left_ KINF_GUARDED_BY(mu_) = 0;  ///< units of the initial list still to apply
};

}  // namespace kinf
