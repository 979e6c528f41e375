// SPDX-License-Identifier: Apache-2.0
// DeltaFifo: a queue that collects the changes of each key until the key is popped (client-go:
// DeltaFIFO). Each pop returns one key with all of its queued changes. Keys are popped in the order
// of their first change.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kinf/cache/functions.h"
#include "kinf/cache/queue.h"

namespace [[gnu::visibility("default")]] kinf {

struct DeltaFifoOptions {
  /// The store that this queue feeds. Must outlive the queue. If null, the deletion of an object
  /// that is not queued is dropped, and a list can delete only queued objects.
  const KnownObjects* known_objects = nullptr;
  /// Queues the objects of a list as `replaced`. If false, queues them as `sync`, like old versions
  /// of client-go.
  bool emit_replaced = true;
  KeyFunction key_function;
  /// Called once, without a lock, for each queued object, except for tombstones and resyncs.
  Transform transform;
  std::size_t capacity = 2000;
  /// In `strict`, a failed replace() queues nothing. In `client_go`, the objects before the one
  /// that failed stay queued.
  Behaviour behaviour = Behaviour::strict;
};

/// Collects the changes of each key until the key is popped. Merges two successive deletions of a
/// key into the one with more information. Merges nothing else. client-go calls its consumer under
/// the queue's lock. This queue releases the lock first; calls that need the known objects wait
/// until the consumer returns.
/// Threads: as Queue.
class DeltaFifo final : public Queue {
 public:
  explicit DeltaFifo(DeltaFifoOptions options);

  /// Ignores the deletion of an object that is neither queued nor known.
  Result<void> remove(ObjectPtr object, const ChangeOrigin& origin,
                      const std::stop_token& stop = {}) override;
  Result<void> remove(DeletedObject tombstone, const ChangeOrigin& origin,
                      const std::stop_token& stop = {}) override;
  Result<void> replace(std::vector<ObjectPtr> objects, std::string resource_version,
                       const ChangeOrigin& origin, const std::stop_token& stop = {}) override;
  /// Does nothing: this queue does not carry bookmarks.
  Result<void> bookmark(std::string resource_version, const ChangeOrigin& origin,
                        const std::stop_token& stop = {}) override;

 private:
  std::size_t depth_locked() const override KINF_REQUIRES(mu_) { return queue_.size(); }
  std::vector<Deltas> snapshot_locked() const override KINF_REQUIRES(mu_);
  std::unordered_set<std::string> queued_keys_locked() const override KINF_REQUIRES(mu_);
  void push_locked(Delta delta) override KINF_REQUIRES(mu_);
  Taken take_locked(Unit unit) override KINF_REQUIRES(mu_);

  Result<void> enqueue_deletion(Result<Delta> delta, const std::string& key,
                                const std::stop_token& stop);
  void fold_deletions_locked(Deltas& deltas) KINF_REQUIRES(mu_);
  bool is_known_locked(const std::string& key) const KINF_REQUIRES(mu_);

  const bool emit_replaced_;
  const Behaviour behaviour_;
  // Each key of items_ is in queue_ exactly once. The Deltas in items_ are never empty.
  std::unordered_map<std::string, Deltas> items_ KINF_GUARDED_BY(mu_);
  std::deque<std::string> queue_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
