// SPDX-License-Identifier: Apache-2.0
// WorkQueueMetrics: the metrics of one work queue (client-go: the metrics of package workqueue).
// Publishing them is up to the caller.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kinf/base/clock.h"

namespace kinf {

/// Counts durations in buckets of powers of ten, with the bounds of client-go's histograms.
/// Threads: none of its own.
struct DurationHistogram {
  static constexpr std::size_t kBounds = 10;
  /// 10 ns, 100 ns, … 10 s. A duration counts in the first bucket whose bound it does not exceed.
  static Clock::Duration bound(std::size_t bucket);

  void observe(Clock::Duration duration);

  std::array<std::uint64_t, kBounds + 1> buckets{};  ///< not cumulative; the last has no bound
  std::uint64_t count = 0;
  Clock::Duration sum{};
};

/// A snapshot of one instant.
struct WorkQueueMetrics {
  std::uint64_t adds = 0;     ///< workqueue_adds_total, without adds of queued items
  std::uint64_t retries = 0;  ///< workqueue_retries_total: items added for later
  /// workqueue_depth: items to be worked on. Unlike len(), includes items that were added again
  /// while being worked on.
  std::size_t depth = 0;
  DurationHistogram queue_duration;  ///< workqueue_queue_duration_seconds: from add to get
  DurationHistogram work_duration;   ///< workqueue_work_duration_seconds: from get to done
  Clock::Duration
      unfinished_work{};  ///< workqueue_unfinished_work_seconds: sum over work under way
  Clock::Duration longest_running{};  ///< workqueue_longest_running_processor_seconds
};

}  // namespace kinf
