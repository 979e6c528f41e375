// SPDX-License-Identifier: Apache-2.0
#include "kinf/workqueue/work_queue_metrics.h"

#include <doctest/doctest.h>

#include "fakes/fake_clock.h"
#include "kinf/workqueue/rate_limiting_queue.h"

namespace kinf {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::FakeClock;

TEST_CASE("I15: a queue counts adds and measures waiting and working times") {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.add("a");
  queue.add("a");  // queued already: not one more
  queue.add("b");
  CHECK(queue.metrics().adds == 2);
  CHECK(queue.metrics().depth == 2);

  clock.advance(milliseconds(50));
  CHECK(queue.get() == "a");
  WorkQueueMetrics metrics = queue.metrics();
  CHECK(metrics.depth == 1);
  CHECK(metrics.queue_duration.count == 1);
  CHECK(metrics.queue_duration.sum == milliseconds(50));
  CHECK(metrics.work_duration.count == 0);

  clock.advance(seconds(2));
  queue.done("a");
  metrics = queue.metrics();
  CHECK(metrics.work_duration.count == 1);
  CHECK(metrics.work_duration.sum == seconds(2));
  CHECK(metrics.queue_duration.count == 1);
}

TEST_CASE("I15: work in progress counts as unfinished until done") {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.add("a");
  queue.add("b");
  CHECK(queue.get() == "a");
  clock.advance(seconds(3));
  CHECK(queue.get() == "b");
  clock.advance(seconds(1));
  CHECK(queue.metrics().unfinished_work == seconds(5));
  CHECK(queue.metrics().longest_running == seconds(4));
  queue.done("a");
  CHECK(queue.metrics().longest_running == seconds(1));
  queue.done("b");
  CHECK(queue.metrics().unfinished_work == seconds(0));
}

TEST_CASE(
    "I15: an item added again while worked on counts in the depth, though not in the length") {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.add("a");
  CHECK(queue.get() == "a");
  queue.add("a");
  CHECK(queue.len() == 0);
  CHECK(queue.metrics().depth == 1);
  CHECK(queue.metrics().adds == 2);
  clock.advance(seconds(1));
  queue.done("a");
  CHECK(queue.get() == "a");
  CHECK(queue.metrics().queue_duration.sum == seconds(1));
}

TEST_CASE("I15: retries count when they are added, and nothing counts after shut_down") {
  FakeClock clock;
  RateLimitingQueue queue(clock, default_item_based_limiter());
  queue.add_rate_limited("a");
  queue.add_after("b", seconds(0));
  CHECK(queue.metrics().retries == 2);
  CHECK(queue.metrics().adds == 1);
  clock.advance(seconds(1));
  CHECK(queue.metrics().adds == 2);
  queue.shut_down();
  queue.add("c");
  queue.add_after("d", seconds(1));
  CHECK(queue.metrics().adds == 2);
  CHECK(queue.metrics().retries == 2);
}

TEST_CASE("a duration counts in the first bucket that is large enough") {
  DurationHistogram histogram;
  histogram.observe(Clock::Duration(10));
  histogram.observe(Clock::Duration(11));
  histogram.observe(seconds(10));
  histogram.observe(seconds(11));
  CHECK(DurationHistogram::bound(9) == seconds(10));
  CHECK(histogram.buckets[0] == 1);
  CHECK(histogram.buckets[1] == 1);
  CHECK(histogram.buckets[9] == 1);
  CHECK(histogram.buckets[10] == 1);
  CHECK(histogram.count == 4);
}

}  // namespace
}  // namespace kinf
