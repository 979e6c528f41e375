// SPDX-License-Identifier: Apache-2.0
// WorkQueueMetrics: the metrics of one work queue (client-go: the metrics of package workqueue).
// The caller publishes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kinf/base/clock.h"

namespace kinf {

/// Counts durations in buckets whose bounds are powers of ten, as in client-go. Threads: not
/// thread-safe.
struct DurationHistogram {
  static constexpr std::size_t kBounds = 10;
  /// Returns the upper bound of a bucket: 10 ns, 100 ns, … 10 s. A duration counts in the first
  /// bucket whose bound it does not exceed.
  static Clock::Duration bound(std::size_t bucket);

  void observe(Clock::Duration duration);

  /// Durations per bucket, not cumulative; the last bucket has no bound.
  std::array<std::uint64_t, kBounds + 1> buckets{};
  std::uint64_t count = 0;
  Clock::Duration sum{};
};

/// A consistent snapshot.
struct WorkQueueMetrics {
  std::uint64_t adds = 0;     ///< workqueue_adds_total; does not count adds of queued items
  std::uint64_t retries = 0;  ///< workqueue_retries_total: items added for later
  /// workqueue_depth: items that must be processed. Unlike len(), includes items that were added
  /// again while being processed.
  std::size_t depth = 0;
  DurationHistogram queue_duration;  ///< workqueue_queue_duration_seconds: from add to get
  DurationHistogram work_duration;   ///< workqueue_work_duration_seconds: from get to done
  Clock::Duration
      /// Workqueue_unfinished_work_seconds: time spent so far on all items being processed.
      unfinished_work{};
  Clock::Duration longest_running{};  ///< workqueue_longest_running_processor_seconds
};

}  // namespace kinf
