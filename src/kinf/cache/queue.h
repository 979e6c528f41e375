// SPDX-License-Identifier: Apache-2.0
// Queue: what stands between the reflector, which learns of changes, and the controller, which
// applies them. Two orders of delivery: InOrderFifo and DeltaFifo.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/cache/delta.h"

namespace kinf {

/// What one pop hands over; the handler may take it apart.
struct Popped {
  /// Not is_batch: what happened to one key (or to all), in order. is_batch: two or more deltas of
  /// distinct keys, to be applied as one transaction.
  Deltas deltas;
  bool is_in_initial_list = false;
  bool is_batch = false;
};

/// Applies what was popped. Runs without any lock of the queue. An error comes back from the pop;
/// the deltas are not put back. Must not return kind `stopped`, nor make a call of the same queue
/// that waits until what was popped has been applied.
using PopHandler = std::function<Result<>(Popped&)>;

/// The error of a pop from a queue that is closed and empty: kind `stopped`, client-go's text.
Error queue_closed_error();

/// Threads: every call from any thread, one consumer at a time.
///
/// A bound (`capacity`) holds for what single changes add; a list, a relist and a resync are
/// exempt, since their objects exist anyway. add, update, remove and bookmark wait while the
/// queue is full, until there is room, stop is requested (kind `stopped`, nothing queued) or the
/// queue is closed. A producer that must not block asks has_room() first: with one producer, the
/// next change then does not wait.
///
/// Where what is stored decides what is queued (replace and resync of a queue with known objects,
/// DeltaFifo's remove), the call also waits until what was popped has been applied.
class Queue {
 public:
  virtual ~Queue() = default;

  virtual Result<> add(ObjectPtr object, const ChangeOrigin& origin,
                       const std::stop_token& stop = {}) = 0;
  virtual Result<> update(ObjectPtr object, const ChangeOrigin& origin,
                          const std::stop_token& stop = {}) = 0;
  virtual Result<> remove(ObjectPtr object, const ChangeOrigin& origin,
                          const std::stop_token& stop = {}) = 0;
  virtual Result<> remove(DeletedObject tombstone, const ChangeOrigin& origin,
                          const std::stop_token& stop = {}) = 0;
  /// A complete list: queues its objects, and deletions for what it does not hold any more.
  virtual Result<> replace(std::vector<ObjectPtr> objects, std::string resource_version,
                           const ChangeOrigin& origin, const std::stop_token& stop = {}) = 0;
  /// Queues a reminder of everything stored that has no change queued.
  virtual Result<> resync(const ChangeOrigin& origin, const std::stop_token& stop = {}) = 0;
  virtual Result<> bookmark(std::string resource_version, const ChangeOrigin& origin,
                            const std::stop_token& stop = {}) = 0;

  /// Whether the next single change would be taken without waiting for room.
  virtual bool has_room() const = 0;

  /// Waits for something to hand to `handler`. Fails with the handler's error, or with kind
  /// `stopped`: on stop at once, on close after what is queued has been popped.
  virtual Result<> pop(const PopHandler& handler, const std::stop_token& stop) = 0;
  /// The same without waiting: false if nothing is queued.
  virtual Result<bool> try_pop(const PopHandler& handler) = 0;
  /// As pop, but hands over as many deltas as may be applied together. A queue without batches
  /// pops one unit.
  virtual Result<> pop_batch(const PopHandler& handler, const std::stop_token& stop) = 0;
  virtual Result<bool> try_pop_batch(const PopHandler& handler) = 0;

  /// Wakes everyone who waits. What is queued can still be popped, and changes are still taken.
  virtual void close() = 0;
  virtual bool is_closed() const = 0;

  /// The first list has been popped and applied, or a single change came before any list. Once
  /// true, always true.
  virtual bool has_synced() const = 0;
  /// How many units wait: deltas of an InOrderFifo, keys of a DeltaFifo.
  virtual std::size_t depth() const = 0;
};

}  // namespace kinf
