// SPDX-License-Identifier: Apache-2.0
// InformerStats: the counters of one informer, for --stats and for metrics.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinf {

/// A snapshot. It is not atomic: the counters may be read at slightly different times.
struct InformerStats {
  std::size_t objects = 0;    ///< in the cache now
  std::size_t queued = 0;     ///< waiting for the processor, or being distributed by it, now
  std::size_t backlog = 0;    ///< changes waiting for handlers, or being processed by them, now
  std::uint64_t lists = 0;    ///< lists started, including streaming lists
  std::uint64_t relists = 0;  ///< lists applied after the first
  std::uint64_t watches = 0;  ///< watches started
  std::uint64_t watch_events = 0;
  std::uint64_t bookmarks = 0;
  std::uint64_t errors = 0;     ///< failed lists, watches, resyncs and updates of the cache
  std::uint64_t stalls = 0;     ///< watches that were silent for stall_timeout
  std::uint64_t unchanged = 0;  ///< objects received again unchanged; not delivered
  std::uint64_t version_regressions = 0;  ///< objects older than the stored ones; dropped
  std::uint64_t unknown_deletions = 0;    ///< deletions of objects never seen; not delivered
  std::uint64_t foreign_events = 0;       ///< events with an unexpected apiVersion or kind; dropped
  std::uint64_t apply_errors = 0;   ///< lists and events that could not be applied to the cache
  std::uint64_t index_errors = 0;   ///< failed calls of index functions
  std::uint64_t mutations = 0;      ///< cached objects that were modified; see detect_mutations
  std::uint64_t notifications = 0;  ///< changes delivered to handlers
  std::uint64_t folded = 0;         ///< changes merged into newer ones for slow handlers
  std::uint64_t undelivered = 0;    ///< changes still waiting for a handler when the informer ended
  /// Exceptions thrown by handlers, observers and other callbacks.
  std::uint64_t handler_exceptions = 0;
};

}  // namespace kinf
