// SPDX-License-Identifier: Apache-2.0
// DeltaApplier: writes what was popped to the cache, and makes the changes that handlers get
// (client-go: processDeltas, processDeltasInBatch). Calls no handler.
#pragma once

#include <string>
#include <vector>

#include "kinf/cache/indexer.h"
#include "kinf/cache/queue.h"
#include "kinf/informer/informer_counters.h"

namespace kinf {

/// Where `strict` differs from `client_go`:
/// - an object received again unchanged is no change, and the stored pointer stays;
/// - the deletion of an object never seen is no change;
/// - an older version of the same object is refused, unless a whole list is older than the cache:
///   then the server was restored from a backup, and the list is right;
/// - another uid under the same key is a deletion and an addition, not an update;
/// - a change is a reminder because a resync made it, not because two versions are equal.
/// All refusals are counted.
///
/// Threads: one owner, the only writer of the indexer.
class DeltaApplier {
 public:
  /// Both references outlive this.
  DeltaApplier(Indexer& indexer, Behaviour behaviour, InformerCounters& counters)
      : indexer_(indexer), behaviour_(behaviour), counters_(counters) {}

  /// Writes to the indexer and appends the resulting changes to `changes`, in order.
  Result<> apply(Popped& popped, std::vector<Change>& changes);

 private:
  bool strict() const { return behaviour_ == Behaviour::strict; }

  Result<> apply_each(Popped& popped, std::vector<Change>& changes);
  void upsert(Delta& delta, bool initial, std::vector<Change>& changes);
  Result<> remove(Delta& delta, std::vector<Change>& changes);
  Result<> apply_list(Delta& delta, bool initial, std::vector<Change>& changes);

  /// Takes an addition whose `old` is what is stored (null: nothing). Gives it its final type and
  /// appends it, or refuses it. `trusted`: an older version is right. Returns whether the object
  /// is to be stored.
  bool settle(Change change, bool trusted, std::vector<Change>& changes);

  /// What is stored under `key`, including the writes that are still pending.
  ObjectPtr stored(const std::string& key) const;
  Result<> flush();

  Indexer& indexer_;
  const Behaviour behaviour_;
  InformerCounters& counters_;
  std::vector<ObjectWrite> writes_;  ///< pending
  bool distinct_keys_ = false;       ///< of the deltas being applied; else all have the same key
};

}  // namespace kinf
