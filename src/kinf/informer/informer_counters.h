// SPDX-License-Identifier: Apache-2.0
// InformerCounters: the counters of one informer. InformerStats is a snapshot of them and documents
// each one.
#pragma once

#include <atomic>
#include <cstdint>

namespace kinf {

/// Threads: any.
struct InformerCounters {
  using Counter = std::atomic<std::uint64_t>;

  Counter lists{0}, relists{0}, watches{0}, watch_events{0}, bookmarks{0}, errors{0}, stalls{0};
  Counter unchanged{0}, version_regressions{0}, unknown_deletions{0}, foreign_events{0};
  Counter apply_errors{0}, mutations{0}, notifications{0}, folded{0}, undelivered{0},
      handler_exceptions{0};

  static void count(Counter& counter, std::uint64_t by = 1) {
    counter.fetch_add(by, std::memory_order_relaxed);
  }
};

}  // namespace kinf
