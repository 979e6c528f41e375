// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "fakes/fake_clock.h"
#include "kinf/workqueue/rate_limiting_queue.h"
#include "kinf/workqueue/work_queue.h"

namespace kinf {
namespace {

using test::FakeClock;

TEST_CASE(
    "I1: with many producers and workers, each distinct item is worked on and all workers end") {
  constexpr int kProducers = 10;
  constexpr int kItems = 50;
  FakeClock clock;
  WorkQueue queue(clock);
  Mutex mu;
  std::map<std::string, int> worked;
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < 5; ++i) {
      workers.emplace_back([&] {
        while (const auto item = queue.get()) {
          {
            MutexLock lock(mu);
            ++worked[*item];
          }
          queue.done(*item);
        }
      });
    }
    {
      std::vector<std::jthread> producers;
      for (int p = 0; p < kProducers; ++p) {
        producers.emplace_back([&, p] {
          for (int i = 0; i < kItems; ++i) {
            queue.add(std::to_string(p) + "/" + std::to_string(i));
          }
        });
      }
    }
    queue.shut_down();
    queue.add("too late");
  }
  CHECK(worked.size() == kProducers * kItems);
  CHECK_FALSE(worked.contains("too late"));
}

TEST_CASE("I2: an item added while it is worked on runs again afterwards, never at the same time") {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.add("a");
  CHECK(queue.get() == "a");
  queue.add("a");
  queue.add("a");
  CHECK(queue.len() == 0);
  CHECK_FALSE(queue.try_get());
  queue.done("a");
  CHECK(queue.len() == 1);
  CHECK(queue.get() == "a");
  queue.done("a");
  CHECK_FALSE(queue.try_get());
}

TEST_CASE("I2: workers on many threads never hold the same item") {
  FakeClock clock;
  WorkQueue queue(clock);
  std::atomic<int> holding{0};
  std::atomic<int> overlaps{0};
  std::atomic<int> runs{0};
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < 4; ++i) {
      workers.emplace_back([&] {
        while (const auto item = queue.get()) {
          if (holding.fetch_add(1) != 0) ++overlaps;
          if (++runs < 500) queue.add(*item);
          holding.fetch_sub(1);
          queue.done(*item);
        }
      });
    }
    queue.add("only one");
    while (runs < 500) std::this_thread::yield();
    queue.shut_down();
  }
  CHECK(overlaps == 0);
  CHECK(runs == 500);
}

TEST_CASE("I3: adding a queued item changes nothing") {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.add("a");
  queue.add("b");
  queue.add("a");
  CHECK(queue.len() == 2);
  CHECK(queue.get() == "a");
  CHECK(queue.get() == "b");
}

TEST_CASE("I4: an item being worked on does not count as queued") {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.add("a");
  CHECK(queue.len() == 1);
  CHECK(queue.try_get() == "a");
  CHECK(queue.len() == 0);
  queue.done("a");
  CHECK(queue.len() == 0);
}

TEST_CASE("I5: a drain waits for items being worked on, shut_down does not") {
  FakeClock clock;
  WorkQueue plain(clock);
  plain.add("a");
  CHECK(plain.get() == "a");
  plain.shut_down();
  CHECK(plain.is_shutting_down());
  CHECK_FALSE(plain.get());

  WorkQueue drained(clock);
  drained.add("a");
  drained.add("b");
  CHECK(drained.get() == "a");
  bool waited = false;
  {
    std::jthread drain([&] { waited = drained.shut_down_with_drain(); });
    while (!drained.is_shutting_down()) std::this_thread::yield();
    CHECK_FALSE(drained.is_drained());
    CHECK(drained.get() == "b");  // what is queued is still handed out
    drained.done("a");
    CHECK_FALSE(drained.is_drained());
    drained.done("b");
  }
  CHECK(waited);
}

TEST_CASE("I5: a later shut_down ends a drain, and so does stop") {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.add("never done");
  CHECK(queue.get());
  bool released = false;
  {
    std::jthread drain([&] { released = queue.shut_down_with_drain(); });
    while (!queue.is_shutting_down()) std::this_thread::yield();
    queue.shut_down();
  }
  CHECK(released);

  bool gave_up = false;
  {
    std::jthread drain(
        [&](const std::stop_token& stop) { gave_up = !queue.shut_down_with_drain(stop); });
    drain.request_stop();
  }
  CHECK(gave_up);
}

TEST_CASE("I6: after a drain, get still returns an item that its done queued again") {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.add("a");
  CHECK(queue.get() == "a");
  queue.add("a");
  queue.begin_drain();
  CHECK_FALSE(queue.is_drained());
  queue.done("a");
  CHECK(queue.is_drained());
  CHECK(queue.get() == "a");
  queue.done("a");
  CHECK_FALSE(queue.get());
}

TEST_CASE("a waiting worker returns on stop") {
  FakeClock clock;
  WorkQueue queue(clock);
  std::optional<std::string> got = "something";
  {
    std::jthread worker([&](const std::stop_token& stop) { got = queue.get(stop); });
    clock.wait_for_sleepers(1);
  }
  CHECK_FALSE(got);
}

}  // namespace

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
