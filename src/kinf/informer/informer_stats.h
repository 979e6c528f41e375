// SPDX-License-Identifier: Apache-2.0
// InformerStats: what one informer has done so far, for --stats and for metrics.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinf {

/// A snapshot; the numbers need not be of the very same instant.
struct InformerStats {
  std::size_t objects = 0;    ///< in the cache now
  std::size_t queued = 0;     ///< waiting for the processor now
  std::size_t backlog = 0;    ///< notifications waiting for handlers now
  std::uint64_t lists = 0;    ///< begun, streaming ones included
  std::uint64_t relists = 0;  ///< applied after the first
  std::uint64_t watches = 0;  ///< begun
  std::uint64_t watch_events = 0;
  std::uint64_t bookmarks = 0;
  std::uint64_t errors = 0;
  std::uint64_t stalls = 0;
  std::uint64_t unchanged = 0;            ///< received again as they were; nobody was told
  std::uint64_t version_regressions = 0;  ///< older than what is held; refused
  std::uint64_t unknown_deletions = 0;    ///< deletions of objects never seen; nobody was told
  std::uint64_t foreign_events = 0;       ///< of another kind than expected; dropped
  std::uint64_t apply_errors = 0;
  std::uint64_t index_errors = 0;
  std::uint64_t mutations = 0;      ///< cached objects found written to; see detect_mutations
  std::uint64_t notifications = 0;  ///< delivered to handlers
  std::uint64_t folded = 0;         ///< merged into a newer one for a slow handler
  std::uint64_t undelivered = 0;    ///< still waiting for a handler at the end
  std::uint64_t handler_exceptions = 0;
};

}  // namespace kinf
