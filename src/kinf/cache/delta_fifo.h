// SPDX-License-Identifier: Apache-2.0
// DeltaFifo: collects the changes of each key since it was last popped (client-go: DeltaFIFO, the
// queue that articles about informers describe). For consumers that want each object once, with its
// recent history. Keys are popped in the order of their first change.
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
  /// The store that this queue feeds; outlives it. Without it the deletion of an object that is not
  /// queued is dropped, and a list deletes only what is queued.
  const KnownObjects* known_objects = nullptr;
  /// The objects of a list come as `replaced`; otherwise as `sync`, as in old versions of
  /// client-go.
  bool emit_replaced = true;
  KeyFunction key_function;
  /// Applied once, without a lock, to each object that is queued, except tombstones and resyncs.
  Transform transform;
  std::size_t capacity = 2000;
  /// A failing replace() queues nothing in `strict`; in `client_go` what came before the failing
  /// object stays queued.
  Behaviour behaviour = Behaviour::strict;
};

/// Of two deletions in a row the one with more information is kept; nothing else is merged.
/// client-go calls its consumer under the queue's lock; this queue releases the lock, and the calls
/// that need the known objects wait until the consumer returns. Threads: as Queue.
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
  // A key is in queue_, once, if and only if it has deltas in items_; those are never empty.
  std::unordered_map<std::string, Deltas> items_ KINF_GUARDED_BY(mu_);
  std::deque<std::string> queue_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
