// SPDX-License-Identifier: Apache-2.0
// InformerOptions: the options of one informer.
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

/// The queue between the reflector and the cache.
enum class QueueKind {
  in_order_atomic,  ///< every event, in order; a list is one delta (client-go's default)
  in_order,         ///< every event, in order; a list is one delta per object
  delta,            ///< collected by key (client-go's classic DeltaFIFO)
};

/// Whether lists come as a stream of events (KEP-3157) instead of pages.
enum class WatchListMode {
  automatic,  ///< if the source supports it, until one fails
  on,         ///< tried for every list
  off,
};

struct InformerOptions {
  /// src/README.md lists the differences. In `client_go` stall_timeout and stream_timeout do not
  /// apply, and a watch that ends is reopened without a pause.
  Behaviour behaviour = Behaviour::strict;
  QueueKind queue = QueueKind::in_order_atomic;
  WatchListMode watch_list = WatchListMode::automatic;
  /// The resync period of handlers without one of their own (0: never).
  Clock::Duration resync_period{};
  /// Indices of the cache. kNamespaceIndex always exists.
  Indexers indexers;
  Transform transform;
  /// Called for every list or watch that fails, whatever the reason, before it is tried again
  /// (client-go: WatchErrorHandler; `client_go` leaves out what client-go does). InformerObserver
  /// gets more details. Called from the reflector's thread, under no lock; must return quickly.
  std::function<void(const Error&)> watch_error_handler;
  /// Objects per page, for every list (0: 500 where client-go uses pages).
  std::int64_t page_size = 0;
  /// Drops events of another type. Empty: not checked.
  std::string expected_api_version;
  std::string expected_kind;
  /// An open watch that receives no byte for this long counts as dead (0: never).
  Clock::Duration stall_timeout = std::chrono::seconds(90);
  /// A streaming list that receives no byte for this long is replaced by a list in pages.
  Clock::Duration stream_timeout = std::chrono::seconds(10);
  BackoffOptions backoff;
  std::uint64_t seed = 1;  ///< of all jitter
  /// Whether to check for writes to cached objects (MutationDetector), at most once a second and
  /// only when there is work. Reads every byte of every object. Empty: in debug builds of kinf.
  std::optional<bool> detect_mutations;
  /// How many watch events may wait for the processor. If more come, the watch is not read.
  std::size_t queue_capacity = 2000;
};

}  // namespace kinf
