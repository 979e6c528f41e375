// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "fakes/fake_clock.h"
#include "kinf/workqueue/rate_limiting_queue.h"

namespace kinf {
namespace {

using std::chrono::milliseconds;
using test::FakeClock;

TEST_CASE("I14: a failed item waits for the delay of the limiter, longer each time") {
  FakeClock clock;
  RateLimitingQueue queue(clock, std::make_unique<ExponentialFailureLimiter>(
                                     milliseconds(10), std::chrono::seconds(1)));
  for (const int delay : {10, 20, 40}) {
    queue.add_rate_limited("a");
    clock.advance(milliseconds(delay - 1));
    CHECK_FALSE(queue.try_get());
    clock.advance(milliseconds(1));
    CHECK(queue.try_get() == "a");
    queue.done("a");
  }
  CHECK(queue.num_requeues("a") == 3);
}

TEST_CASE("I14: forget resets the delay of an item but does not remove the item") {
  FakeClock clock;
  RateLimitingQueue queue(clock, default_item_based_limiter());
  queue.add_rate_limited("a");
  queue.forget("a");
  CHECK(queue.num_requeues("a") == 0);
  CHECK(queue.delayed() == 1);
  clock.advance(milliseconds(1));
  CHECK(queue.try_get() == "a");
}

TEST_CASE("I14: the default controller limiter starts at 5 ms") {
  FakeClock clock;
  RateLimitingQueue queue(clock, default_controller_limiter(clock));
  queue.add_rate_limited("a");
  clock.advance(milliseconds(4));
  CHECK(queue.len() == 0);
  clock.advance(milliseconds(1));
  CHECK(queue.len() == 1);
}

}  // namespace

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using test::FakeClock;

TEST_CASE("I8: a delayed item is queued once, and not before its time") {
  FakeClock clock;
  DelayingQueue queue(clock);
  queue.add_after("a", milliseconds(50));
  clock.advance(milliseconds(49));
  CHECK_FALSE(queue.try_get());
  CHECK(queue.delayed() == 1);
  clock.advance(milliseconds(1));
  CHECK(queue.try_get() == "a");
  queue.done("a");
  clock.advance(hours(1));
  CHECK_FALSE(queue.try_get());
  CHECK(queue.delayed() == 0);
}

TEST_CASE("I8: a waiting worker wakes when the next item is due") {
  FakeClock clock;
  DelayingQueue queue(clock);
  queue.add_after("later", milliseconds(100));
  std::optional<std::string> got;
  {
    std::jthread worker([&] { got = queue.get(); });
    clock.wait_for_sleepers(1);
    queue.add_after("sooner", milliseconds(50));
    clock.wait_for_sleepers(1);
    clock.advance(milliseconds(50));
  }
  CHECK(got == "sooner");
}

TEST_CASE("I9: of two delays for one item, the earlier one counts") {
  FakeClock clock;
  DelayingQueue queue(clock);
  queue.add_after("a", milliseconds(50));
  queue.add_after("a", milliseconds(30));
  queue.add_after("a", milliseconds(90));
  CHECK(queue.delayed() == 1);
  clock.advance(milliseconds(30));
  CHECK(queue.try_get() == "a");
  queue.done("a");
  clock.advance(hours(1));
  CHECK_FALSE(queue.try_get());
}

TEST_CASE("I10: delayed items are queued in the order of their times") {
  FakeClock clock;
  DelayingQueue queue(clock);
  queue.add_after("far", hours(10));
  queue.add_after("third", milliseconds(300));
  queue.add_after("first", milliseconds(100));
  queue.add_after("second", milliseconds(200));
  clock.advance(milliseconds(250));
  queue.add("added now");
  clock.advance(milliseconds(50));
  for (const char* expected : {"first", "second", "added now", "third"}) {
    CHECK(queue.try_get() == expected);
  }
  CHECK_FALSE(queue.try_get());
}

TEST_CASE("I11: a worker sleeps until one deadline, however many items are delayed") {
  FakeClock clock;
  DelayingQueue queue(clock);
  for (int i = 0; i < 100; ++i) queue.add_after(std::to_string(i), hours(100 + i));
  std::jthread worker([&](const std::stop_token& stop) { (void)queue.get(stop); });
  clock.wait_for_sleepers(1);
  for (int i = 0; i < 10; ++i) {
    clock.advance(hours(1));
    clock.wait_for_sleepers(1);  // it went back to sleep, with nothing to do
  }
  CHECK(queue.delayed() == 100);
  CHECK(queue.len() == 0);
}

TEST_CASE("a zero delay queues at once, and the longest delay does not overflow") {
  FakeClock clock;
  DelayingQueue queue(clock);
  queue.add_after("now", milliseconds(0));
  queue.add_after("past", milliseconds(-5));
  queue.add_after("never", Clock::Duration::max());
  CHECK(queue.len() == 2);
  CHECK(queue.delayed() == 1);
}

TEST_CASE("shut_down drops delayed items") {
  FakeClock clock;
  DelayingQueue queue(clock);
  queue.add_after("a", milliseconds(10));
  queue.shut_down();
  queue.add_after("b", milliseconds(10));
  CHECK(queue.delayed() == 0);
  clock.advance(milliseconds(10));
  CHECK_FALSE(queue.get());
}

}  // namespace

}  // namespace kinf
