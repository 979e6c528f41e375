// SPDX-License-Identifier: Apache-2.0
// InOrderFifo: delivers every change on its own, in the order of arrival (client-go: RealFIFO, its
// default). Nothing is merged: a program that prints events needs each of them.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "kinf/cache/behaviour.h"
#include "kinf/cache/queue.h"

namespace kinf {

struct InOrderFifoOptions {
  /// A list is popped as one replaced_all and a resync as one sync_all; the consumer finds the
  /// deletions. Otherwise the queue finds them, and needs `known_objects`.
  bool atomic_events = true;
  /// bookmark() queues a delta; needs atomic_events.
  bool emit_bookmarks = false;
  /// The store that this queue feeds; outlives it. Set if and only if not atomic_events.
  const KnownObjects* known_objects = nullptr;
  KeyFunction key_function;
  /// Applied once, without a lock, to each object that is queued, except tombstones.
  Transform transform;
  std::size_t batch_size = 1000;
  std::size_t capacity = 2000;
  /// A failing replace() of a queue that is not atomic queues nothing in `strict`; in `client_go`
  /// what came before the failing object stays queued.
  Behaviour behaviour = Behaviour::strict;
};

/// A batch holds deltas of distinct keys, at most batch_size. It never crosses the end of the first
/// list, and replaced_all, sync_all and bookmark are popped alone. client-go blocks its producer at
/// two batches, this queue at `capacity`. Threads: as Queue.
class InOrderFifo final : public Queue {
 public:
  /// A usage error if the options contradict each other.
  static Result<std::unique_ptr<InOrderFifo>> create(InOrderFifoOptions options);

  Result<> remove(ObjectPtr object, const ChangeOrigin& origin,
                  const std::stop_token& stop = {}) override;
  Result<> remove(DeletedObject tombstone, const ChangeOrigin& origin,
                  const std::stop_token& stop = {}) override;
  Result<> replace(std::vector<ObjectPtr> objects, std::string resource_version,
                   const ChangeOrigin& origin, const std::stop_token& stop = {}) override;
  Result<> resync(const ChangeOrigin& origin, const std::stop_token& stop = {}) override;
  Result<> bookmark(std::string resource_version, const ChangeOrigin& origin,
                    const std::stop_token& stop = {}) override;

  /// A copy of what is queued, for diagnostics.
  Deltas snapshot() const;

 private:
  explicit InOrderFifo(InOrderFifoOptions options);

  std::size_t depth_locked() const override KINF_REQUIRES(mu_) { return items_.size(); }
  std::unordered_set<std::string> queued_keys_locked() const override KINF_REQUIRES(mu_);
  void push_locked(Delta delta) override KINF_REQUIRES(mu_);
  Taken take_locked(Unit unit) override KINF_REQUIRES(mu_);

  Delta take_front_locked() KINF_REQUIRES(mu_);
  std::size_t batch_length_locked() const KINF_REQUIRES(mu_);
  Result<> replace_atomic(std::vector<ObjectPtr> objects, std::string resource_version,
                          const ChangeOrigin& origin);
  Result<> replace_each(std::vector<ObjectPtr> objects, const ChangeOrigin& origin,
                        const std::stop_token& stop);
  void push_deletions_locked(const std::unordered_set<std::string>& listed,
                             const ChangeOrigin& origin) KINF_REQUIRES(mu_);

  const InOrderFifoOptions options_;
  std::deque<Delta> items_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
