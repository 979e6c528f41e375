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

/// `strict` differs from `client_go` as follows:
/// - an object that is received again unchanged causes no change, and the stored pointer stays;
/// - the deletion of an unknown object causes no change;
/// - an older version of the same object is dropped, unless the list itself is older than the
///   cache: then the server was restored from a backup, and the list is right;
/// - a new uid under the same key causes a deletion and an addition, not an update;
/// - only a resync causes changes of type resync; two equal versions do not.
/// InformerCounters counts everything that is dropped.
///
/// Threads: one thread at a time. Only the DeltaApplier may write to the indexer.
class DeltaApplier {
 public:
  /// Both references must outlive the applier.
  DeltaApplier(Indexer& indexer, Behaviour behaviour, InformerCounters& counters)
      : indexer_(indexer), behaviour_(behaviour), counters_(counters) {}

  /// Writes to the indexer and appends the resulting changes to `changes`, in order.
  Result<void> apply(Popped& popped, std::vector<Change>& changes);

 private:
  bool strict() const { return behaviour_ == Behaviour::strict; }

  Result<void> apply_each(Popped& popped, std::vector<Change>& changes);
  void upsert(Delta& delta, bool initial, std::vector<Change>& changes);
  Result<void> remove(Delta& delta, std::vector<Change>& changes);
  Result<void> apply_list(Delta& delta, bool initial, std::vector<Change>& changes);

  /// Sets the final type of `change`, an addition whose `old` is the stored object (null if there
  /// is none), and appends it to `changes`. In strict, drops it if the object is unchanged, or if
  /// it is older and not `trusted`. Returns whether the caller must store the object.
  bool settle(Change change, bool trusted, std::vector<Change>& changes);

  /// Returns the object stored under `key`. Takes the pending writes into account.
  ObjectPtr stored(const std::string& key) const;
  Result<void> flush();

  Indexer& indexer_;
  const Behaviour behaviour_;
  InformerCounters& counters_;
  std::vector<StoreWrite> writes_;  ///< pending writes; flush() applies them
  /// Whether the deltas being applied have distinct keys; if not, all have the same key.
  bool distinct_keys_ = false;
};

}  // namespace kinf
