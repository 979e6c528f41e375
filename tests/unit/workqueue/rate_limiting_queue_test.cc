// SPDX-License-Identifier: Apache-2.0
#include "kinf/workqueue/rate_limiting_queue.h"

#include <doctest/doctest.h>

#include "fakes/fake_clock.h"

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
}  // namespace kinf
