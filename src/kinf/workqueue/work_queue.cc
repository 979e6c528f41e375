// SPDX-License-Identifier: Apache-2.0
#include "kinf/workqueue/work_queue.h"

namespace kinf {

Clock::Duration DurationHistogram::bound(std::size_t bucket) {
  Clock::Duration bound(10);
  for (std::size_t i = 0; i < bucket; ++i) bound *= 10;
  return bound;
}

void DurationHistogram::observe(Clock::Duration duration) {
  std::size_t bucket = 0;
  while (bucket < kBounds && duration > bound(bucket)) ++bucket;
  ++buckets[bucket];
  ++count;
  sum += duration;
}

}  // namespace kinf
