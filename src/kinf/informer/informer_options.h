// SPDX-License-Identifier: Apache-2.0
// InformerOptions: everything that can be chosen about one informer, for those who build it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "kinf/base/backoff.h"
#include "kinf/base/clock.h"
#include "kinf/cache/behaviour.h"
#include "kinf/cache/functions.h"

namespace kinf {

/// What stands between the reflector and the cache.
enum class QueueKind {
  in_order_atomic,  ///< every event, in order; a list is one step (client-go's default)
  in_order,         ///< every event, in order; a list is one delta per object
  delta,            ///< folded by key (client-go's classic DeltaFIFO)
};

/// Whether the first list comes as a stream of events (KEP-3157) instead of pages.
enum class WatchListMode {
  automatic,  ///< where the source can; once it has proved that it cannot, never again
  on,         ///< tried at every list, whatever happened before
  off,
};

struct InformerOptions {
  /// Where kinf and client-go differ, the classes of this room say how. In `client_go` nothing
  /// below about stalls applies, and a watch that ends is asked for again without a pause.
  Behaviour behaviour = Behaviour::strict;
  QueueKind queue = QueueKind::in_order_atomic;
  WatchListMode watch_list = WatchListMode::automatic;
  /// The resync period of handlers that name none; 0: never.
  Clock::Duration resync_period{};
  /// Indices of the cache beside kNamespaceIndex, which is always there.
  Indexers indexers;
  Transform transform;
  /// Called for every list or watch that fails, whatever the reason, before it is tried again
  /// (client-go: WatchErrorHandler; `client_go` leaves out what client-go does). InformerObserver
  /// gets more details. Called from the reflector's thread, under no lock; must return quickly.
  std::function<void(const Error&)> watch_error_handler;
  /// Objects per page, for every list. 0: pages of 500 where client-go has them.
  std::int64_t page_size = 0;
  /// Events of another type are dropped; empty: not checked.
  std::string expected_api_version;
  std::string expected_kind;
  /// An open watch without a byte for so long is taken for dead; 0: never.
  Clock::Duration stall_timeout = std::chrono::seconds(90);
  /// A streaming list without a byte for so long, and without its end, is given up for pages.
  Clock::Duration stream_timeout = std::chrono::seconds(10);
  BackoffOptions backoff;
  std::uint64_t seed = 1;  ///< of all jitter
  /// Whether to look for writes into cached objects (MutationDetector), at most once a second and
  /// only when something moves. Costs a pass over all bytes. Empty: in debug builds of kinf.
  std::optional<bool> detect_mutations;
  /// How many watch events may wait for the processor; full: the watch is not read.
  std::size_t queue_capacity = 2000;
};

}  // namespace kinf
