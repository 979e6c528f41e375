// SPDX-License-Identifier: Apache-2.0
// HandlerOptions: per-handler delivery options.
#pragma once

#include <cstddef>
#include <optional>

#include "kinf/base/clock.h"

namespace kinf {

/// The thread that calls a handler.
enum class Delivery {
  /// The informer's processor thread: the least delay, but the handler blocks the cache and every
  /// other handler. For a single handler that must see every change.
  direct,
  /// A thread of its own, with a queue.
  queued,
};

/// What happens when `bound` changes wait for a queued handler.
enum class WhenFull {
  /// A newer state replaces an older one of the same object. Additions and deletions are kept; of
  /// an
  /// object that is created and deleted repeatedly, only the last round. Merged changes are
  /// counted.
  /// The queue is then limited by the number of objects.
  coalesce,
  block,  ///< the processor waits, and so does every other handler; nothing is merged
  grow,   ///< no limit, as in client-go
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
