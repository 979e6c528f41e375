// SPDX-License-Identifier: Apache-2.0
// InOrderFifo: a queue that delivers every change separately, in the order of arrival (client-go:
// RealFIFO, its default). It merges nothing, so a program that prints events gets all of them.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "kinf/cache/functions.h"
#include "kinf/cache/queue.h"

namespace [[gnu::visibility("default")]] kinf {

struct InOrderFifoOptions {
  /// Pops a list as one replaced_all delta and a resync as one sync_all delta, so that the consumer
  /// determines which objects were deleted. If false, the queue determines this, and needs
  /// `known_objects`.
  bool atomic_events = true;
  /// Makes bookmark() queue a delta. Requires atomic_events.
  bool emit_bookmarks = false;
  /// The store that this queue feeds. Must outlive the queue. Required if atomic_events is false,
  /// otherwise null.
  const KnownObjects* known_objects = nullptr;
  KeyFunction key_function;
  /// Called once, without a lock, for each queued object, except for tombstones.
  Transform transform;
  std::size_t batch_size = 1000;
  std::size_t capacity = 2000;
  /// If a replace() with atomic_events = false fails: in `strict`, it queues nothing; in
  /// `client_go`, the objects before the one that failed stay queued.
  Behaviour behaviour = Behaviour::strict;
};

/// Delivers every change separately, in the order of arrival. A batch contains up to batch_size
/// deltas of distinct keys. It never mixes deltas of the first list with later deltas.
/// replaced_all, sync_all and bookmark are popped alone. client-go blocks its producer when two
/// batches are queued; this queue blocks it when `capacity` deltas are queued.
/// Threads: as Queue.
class InOrderFifo final : public Queue {
 public:
  /// Returns a usage error if the options contradict each other.
  static Result<std::unique_ptr<InOrderFifo>> create(InOrderFifoOptions options);

  Result<void> remove(ObjectPtr object, const ChangeOrigin& origin,
                      const std::stop_token& stop = {}) override;
  Result<void> remove(DeletedObject tombstone, const ChangeOrigin& origin,
                      const std::stop_token& stop = {}) override;
  Result<void> replace(std::vector<ObjectPtr> objects, std::string resource_version,
                       const ChangeOrigin& origin, const std::stop_token& stop = {}) override;
  Result<void> resync(const ChangeOrigin& origin, const std::stop_token& stop = {}) override;
  Result<void> bookmark(std::string resource_version, const ChangeOrigin& origin,
                        const std::stop_token& stop = {}) override;

 private:
  explicit InOrderFifo(InOrderFifoOptions options);

  std::size_t depth_locked() const override KINF_REQUIRES(mu_) { return items_.size(); }
  std::vector<Deltas> snapshot_locked() const override KINF_REQUIRES(mu_);
  std::unordered_set<std::string> queued_keys_locked() const override KINF_REQUIRES(mu_);
  void push_locked(Delta delta) override KINF_REQUIRES(mu_);
  Taken take_locked(Unit unit) override KINF_REQUIRES(mu_);

  Delta take_front_locked() KINF_REQUIRES(mu_);
  std::size_t batch_length_locked() const KINF_REQUIRES(mu_);
  Result<void> replace_atomic(std::vector<ObjectPtr> objects, std::string resource_version,
                              const ChangeOrigin& origin);
  Result<void> replace_each(std::vector<ObjectPtr> objects, const ChangeOrigin& origin,
                            const std::stop_token& stop);
  void push_deletions_locked(const std::unordered_set<std::string>& listed,
                             const ChangeOrigin& origin) KINF_REQUIRES(mu_);

  const InOrderFifoOptions options_;
  std::deque<Delta> items_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
