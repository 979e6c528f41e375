// SPDX-License-Identifier: Apache-2.0
// HandlerOptions: per-handler delivery options.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "kinf/base/clock.h"

namespace kinf {

/// The thread that calls a handler.
enum class Delivery {
  /// The informer's processor thread. Has the least delay, but a slow handler blocks the cache and
  /// all other handlers. Meant for a single handler that must see every change.
  direct,
  /// The handler's own thread, which reads from a queue.
  queued,
};

/// What the informer does when `bound` changes are waiting for a queued handler.
enum class WhenFull {
  /// Merges changes of the same object: a newer state replaces an older one. Keeps additions and
  /// deletions, but only the last pair if an object is created and deleted repeatedly. Counts
  /// merged changes (InformerStats::folded). The number of objects then limits the queue.
  coalesce,
  block,  ///< the processor waits, and with it all other handlers; nothing is merged
  grow,   ///< no limit, as in client-go
};

struct HandlerOptions {
  /// How often the handler gets a resync, that is, one update for every object. Empty: the
  /// informer's default. 0: never. The minimum is one second.
  std::optional<Clock::Duration> resync{};
  Delivery delivery = Delivery::queued;
  WhenFull when_full = WhenFull::coalesce;
  std::size_t bound = 1024;  ///< changes that may wait before when_full applies
  /// Only for a queued handler of an informer that runs by SharedInformer::step(), which has no
  /// thread per handler: whether the handler takes its next change now (empty: always). While it
  /// returns false, the changes wait as they do for a handler that is busy.
  std::function<bool()> is_ready{};
};

}  // namespace kinf
