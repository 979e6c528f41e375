// SPDX-License-Identifier: Apache-2.0
// DeltaFifo: collects per key what happened to it since it was last popped (client-go: DeltaFIFO,
// the queue that the literature on informers describes). For consumers that want each object once,
// with its recent history; the order across keys is that of their first change.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kinf/cache/behaviour.h"
#include "kinf/cache/queue.h"

namespace kinf {

struct DeltaFifoOptions {
  /// The store that is filled from this queue; outlives it. Without it a deletion of an object
  /// that is not queued is dropped, and a list deletes only what is queued.
  const KnownObjects* known_objects = nullptr;
  /// The objects of a list come as `replaced`; without it as `sync`, client-go's old way.
  bool emit_replaced = true;
  KeyFunction key_function;
  /// Applied once to each object on its way in, tombstones and resyncs excepted, without a lock.
  Transform transform;
  std::size_t capacity = 2000;
  /// A failing replace() queues nothing in `strict`; in `client_go` what came before the failing
  /// object stays queued.
  Behaviour behaviour = Behaviour::strict;
};

/// Two deletions in a row become the one that knows more; nothing else is folded. client-go calls
/// its consumer under the queue's lock; here the lock is free meanwhile, and the calls that look
/// at the known objects wait instead. Threads: as Queue.
class DeltaFifo final : public Queue {
 public:
  explicit DeltaFifo(DeltaFifoOptions options);

  /// Drops the deletion of an object that is neither queued nor known.
  Result<> remove(ObjectPtr object, const ChangeOrigin& origin,
                  const std::stop_token& stop = {}) override;
  Result<> remove(DeletedObject tombstone, const ChangeOrigin& origin,
                  const std::stop_token& stop = {}) override;
  Result<> replace(std::vector<ObjectPtr> objects, std::string resource_version,
                   const ChangeOrigin& origin, const std::stop_token& stop = {}) override;
  /// Nothing to do: the deltas of this queue carry no bookmarks.
  Result<> bookmark(std::string resource_version, const ChangeOrigin& origin,
                    const std::stop_token& stop = {}) override;

  /// A copy of what is queued, in pop order, for diagnostics.
  std::vector<std::pair<std::string, Deltas>> snapshot() const;

 private:
  std::size_t depth_locked() const override KINF_REQUIRES(mu_) { return queue_.size(); }
  std::unordered_set<std::string> queued_keys_locked() const override KINF_REQUIRES(mu_);
  void push_locked(Delta delta) override KINF_REQUIRES(mu_);
  Taken take_locked(Unit unit) override KINF_REQUIRES(mu_);

  Result<> enqueue_deletion(Result<Delta> delta, const std::string& key,
                            const std::stop_token& stop);
  void fold_deletions_locked(Deltas& deltas) KINF_REQUIRES(mu_);
  bool is_known_locked(const std::string& key) const KINF_REQUIRES(mu_);

  const bool emit_replaced_;
  const Behaviour behaviour_;
  // A key stands in queue_, once, if and only if it has deltas in items_; those are never empty.
  std::unordered_map<std::string, Deltas> items_ KINF_GUARDED_BY(mu_);
  std::deque<std::string> queue_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
