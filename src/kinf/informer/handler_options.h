// SPDX-License-Identifier: Apache-2.0
// HandlerOptions: how one handler wants to be told, for whoever registers it.
#pragma once

#include <cstddef>
#include <optional>

#include "kinf/base/clock.h"

namespace kinf {

/// On whose thread a handler runs.
enum class Delivery {
  /// On the informer's processor thread: the shortest way, and what it does holds up the cache and
  /// every other handler. For a single handler that must see all.
  direct,
  /// On a thread of its own, behind a queue.
  queued,
};

/// What happens when `bound` notifications wait for a queued handler.
enum class WhenFull {
  /// A newer state takes the place of an older one of the same object; additions and deletions
  /// are kept, but of an object that comes and goes only the last round. What was folded is
  /// counted. The queue then grows with the number of objects at most.
  coalesce,
  block,  ///< the processor waits: nothing is folded, every other handler waits too
  grow,   ///< without limit, as client-go does
};

struct HandlerOptions {
  /// How often to be reminded of every object. Empty: as the informer's default; 0: never. Below
  /// one second counts as one second.
  std::optional<Clock::Duration> resync{};
  Delivery delivery = Delivery::queued;
  WhenFull when_full = WhenFull::coalesce;
  std::size_t bound = 1024;
};

}  // namespace kinf
