// SPDX-License-Identifier: Apache-2.0
// DeltaApplier: from what was popped to what the cache holds and what handlers are told
// (client-go: processDeltas, processDeltasInBatch). Calls no handler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/cache/indexer.h"
#include "kinf/cache/queue.h"
#include "kinf/informer/informer_counters.h"
#include "kinf/informer/notification.h"

namespace kinf {

/// Where `strict` differs from `client_go`:
/// - an object received again as it was is no event, and the stored pointer stays;
/// - a deletion of an object never seen is no event;
/// - an older version of the same object is refused, unless a whole list is older than the cache:
///   then the server was set back, and the list is right;
/// - another uid under the same key is a deletion and an addition, not an update;
/// - a reminder is one because a resync made it, not because two versions are equal.
/// All refusals are counted.
///
/// Threads: one owner, the only writer of the indexer.
class DeltaApplier {
 public:
  /// Both references outlive this.
  DeltaApplier(Indexer& indexer, Behaviour behaviour, InformerCounters& counters)
      : indexer_(indexer), behaviour_(behaviour), counters_(counters) {}

  /// Writes to the indexer, then appends to `changes` what there is to tell, in order.
  Result<> apply(Popped& popped, std::vector<Change>& changes);

 private:
  bool strict() const { return behaviour_ == Behaviour::strict; }

  Result<> apply_each(Popped& popped, std::vector<Change>& changes);
  void upsert(Delta& delta, bool initial, std::vector<Change>& changes);
  Result<> remove(Delta& delta, std::vector<Change>& changes);
  void remind_of(const ObjectPtr& object, const Origin& origin, std::vector<Change>& changes);
  void remind_of_all(const Origin& origin, std::vector<Change>& changes);
  Result<> apply_list(Delta& delta, bool initial, std::vector<Change>& changes);

  /// Decides what becomes of `object` where `old` (null: nothing) is stored; returns what is to be
  /// stored: `object`, or `old` if that stays.
  ObjectPtr settle(const ObjectPtr& old, const ObjectPtr& object, const Origin& origin,
                   bool initial, bool set_back, std::vector<Change>& changes);

  /// What is stored under `key`, seen through the writes that are not yet done.
  ObjectPtr stored(std::string_view key) const;
  Result<> flush();

  Indexer& indexer_;
  const Behaviour behaviour_;
  InformerCounters& counters_;
  std::vector<ObjectWrite> writes_;
  std::vector<std::string> written_keys_;  ///< of writes_
  bool distinct_keys_ = false;             ///< no two deltas at hand have the same key
};

}  // namespace kinf
