// SPDX-License-Identifier: Apache-2.0
// InformerStats: the counters of one informer, for --stats and for metrics.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinf {

/// A snapshot. The numbers may be of slightly different instants.
struct InformerStats {
  std::size_t objects = 0;    ///< in the cache now
  std::size_t queued = 0;     ///< waiting for the processor now
  std::size_t backlog = 0;    ///< changes waiting for handlers now
  std::uint64_t lists = 0;    ///< started, streaming ones included
  std::uint64_t relists = 0;  ///< applied after the first
  std::uint64_t watches = 0;  ///< started
  std::uint64_t watch_events = 0;
  std::uint64_t bookmarks = 0;
  std::uint64_t errors = 0;
  std::uint64_t stalls = 0;
  std::uint64_t unchanged = 0;            ///< received again unchanged; not delivered
  std::uint64_t version_regressions = 0;  ///< older than the stored object; refused
  std::uint64_t unknown_deletions = 0;    ///< deletions of objects never seen; not delivered
  std::uint64_t foreign_events = 0;       ///< of another kind than expected; dropped
  std::uint64_t apply_errors = 0;
  std::uint64_t index_errors = 0;
  std::uint64_t mutations = 0;      ///< cached objects that were modified; see detect_mutations
  std::uint64_t notifications = 0;  ///< changes delivered to handlers
  std::uint64_t folded = 0;         ///< merged into a newer one for a slow handler
  std::uint64_t undelivered = 0;    ///< still waiting for a handler at the end
  std::uint64_t handler_exceptions = 0;
};

}  // namespace kinf
