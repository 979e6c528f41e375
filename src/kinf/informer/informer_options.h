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
#include "kinf/cache/functions.h"

namespace [[gnu::visibility("default")]] kinf {

/// The queue between the reflector and the cache.
enum class QueueKind {
  in_order_atomic,  ///< pops every event, in order; a list is one delta (client-go's default)
  in_order,         ///< pops every event, in order; a list is one delta per object
  delta,            ///< pops the events of one object together (client-go's DeltaFIFO)
};

/// When to request a list as a stream of events (KEP-3157) instead of pages.
enum class WatchListMode {
  automatic,  ///< if the source prefers it (client_go: supports it) and no stream has failed before
  on,         ///< for every list if the source supports it, even after failures
  off,
};

struct InformerOptions {
  /// src/README.md lists how `strict` and `client_go` differ. `client_go` ignores stall_timeout and
  /// stream_timeout, and reopens a closed watch without a pause.
  Behaviour behaviour = Behaviour::strict;
  QueueKind queue = QueueKind::in_order_atomic;
  WatchListMode watch_list = WatchListMode::automatic;
  /// The resync period of handlers that do not set HandlerOptions::resync (0: never).
  Clock::Duration resync_period{};
  /// Indices of the cache. The informer adds kNamespaceIndex.
  Indexers indexers;
  Transform transform;
  /// Called for every failed list or watch, before the retry (client-go: WatchErrorHandler;
  /// `client_go` skips the failures that client-go skips). InformerObserver gets more details.
  /// Called from the reflector's thread without a lock; must return quickly.
  std::function<void(const Error&)> watch_error_handler;
  /// Objects per page. 0 means no pages. Empty means that the informer chooses pages of 500
  /// objects, which may grow, or no pages (see ListRound).
  std::optional<std::int64_t> page_size;
  /// How many pages of a list may be requested before the first of them is complete. Ignored by
  /// `client_go`, which requests one page at a time.
  int pages_in_flight = 4;
  /// If true, the informer sends no request after its first complete list: no watch, no further
  /// list.
  bool list_only = false;
  /// Watch events with another apiVersion or kind are dropped. An empty expected_kind disables the
  /// check.
  std::string expected_api_version;
  std::string expected_kind;
  /// After this time without a byte, an open watch is closed and opened again (0: never).
  Clock::Duration stall_timeout = std::chrono::seconds(90);
  /// After this time without a byte, a streaming list is replaced by a paged list (0: never).
  Clock::Duration stream_timeout = std::chrono::seconds(10);
  BackoffOptions backoff;
  /// The seed of the random variation of delays and timeouts. Empty means a random seed, so that
  /// the informers of all processes do not retry at the same moment. Set it to get the same delays
  /// in each run.
  std::optional<std::uint64_t> seed;
  /// Whether to check for writes to cached objects (see MutationDetector). Reads every byte of
  /// every object, at most once a second. Empty means on in debug builds of kinf, else off.
  std::optional<bool> detect_mutations;
  /// How many watch events may wait for the processor. When the queue is full, the reflector stops
  /// reading the watch.
  std::size_t queue_capacity = 2000;
};

}  // namespace kinf
