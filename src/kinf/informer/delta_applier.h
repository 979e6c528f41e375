// SPDX-License-Identifier: Apache-2.0
// DeltaApplier: writes popped deltas to the cache and computes the changes for the handlers
// (client-go: processDeltas, processDeltasInBatch). Does not call handlers.
#pragma once

#include <string>
#include <vector>

#include "kinf/cache/indexer.h"
#include "kinf/cache/queue.h"
#include "kinf/informer/user_call.h"

namespace kinf {

/// Writes popped deltas to the indexer and computes the changes for the handlers.
/// Behaviour::strict differs from Behaviour::client_go as follows:
/// - an object that is received again unchanged causes no change, and the stored pointer stays;
/// - the deletion of an unknown object causes no change;
/// - an older version of the same object is dropped, unless it is in a list that is newer than the
///   stored object or older than the whole cache, because then the server was restored from a
///   backup;
/// - a new uid under the same key causes a deletion and an addition, not an update;
/// - a change has type resync only if a resync caused it, not if two versions are equal.
/// InformerCounters counts everything that is dropped.
///
/// Threads: one thread at a time. Only the DeltaApplier may write to the indexer.
class DeltaApplier {
 public:
  /// Both references must outlive the applier.
  DeltaApplier(Indexer& indexer, Behaviour behaviour, InformerCounters& counters)
      : indexer_(indexer), behaviour_(behaviour), counters_(counters) {}

  /// Writes `popped` to the indexer and appends the resulting changes to `changes`, in order.
  Result<void> apply(Popped& popped, std::vector<Change>& changes);

 private:
  bool strict() const { return behaviour_ == Behaviour::strict; }

  Result<void> apply_each(Popped& popped, std::vector<Change>& changes);
  void upsert(Delta& delta, bool initial, std::vector<Change>& changes);
  Result<void> remove(Delta& delta, std::vector<Change>& changes);
  Result<void> apply_list(Delta& delta, bool initial, std::vector<Change>& changes);

  /// Sets the final type of `change` and appends it to `changes`. The caller passes an addition
  /// whose `old` is the stored object, or null if there is none. In strict mode, drops `change` if
  /// the object is unchanged, or if it is older than the stored one and not `trusted`. Returns
  /// whether the caller must store the object.
  bool settle(Change change, bool trusted, std::vector<Change>& changes);

  /// Returns the object stored under `key`, as it will be after the pending writes.
  ObjectPtr stored(const std::string& key) const;
  Result<void> flush();

  Indexer& indexer_;
  const Behaviour behaviour_;
  InformerCounters& counters_;
  std::vector<StoreWrite> writes_;  ///< pending writes; flush() applies them
  /// True if the deltas that are being applied have distinct keys, false if all have the same key.
  bool distinct_keys_ = false;
};

}  // namespace kinf
