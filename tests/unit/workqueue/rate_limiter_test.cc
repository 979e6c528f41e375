// SPDX-License-Identifier: Apache-2.0
#include "kinf/workqueue/rate_limiter.h"

#include <doctest/doctest.h>

#include "fakes/fake_clock.h"

namespace kinf {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::FakeClock;

TEST_CASE("I12: exponential delays double up to the maximum, per item, until forget") {
  ExponentialFailureLimiter limiter(milliseconds(1), milliseconds(10));
  for (const int expected : {1, 2, 4, 8, 10, 10}) {
    CHECK(limiter.when("a") == milliseconds(expected));
  }
  CHECK(limiter.when("b") == milliseconds(1));
  CHECK(limiter.num_requeues("a") == 6);
  limiter.forget("a");
  CHECK(limiter.num_requeues("a") == 0);
  CHECK(limiter.when("a") == milliseconds(1));
}

TEST_CASE("I12: a thousand failures do not overflow") {
  ExponentialFailureLimiter limiter(milliseconds(1), std::chrono::hours(1000));
  for (int i = 0; i < 1100; ++i) (void)limiter.when("a");
  CHECK(limiter.when("a") == std::chrono::hours(1000));
  ExponentialFailureLimiter unlimited(milliseconds(1), RateLimiter::Duration::max());
  for (int i = 0; i < 1100; ++i) (void)unlimited.when("a");
  CHECK(unlimited.when("a") == RateLimiter::Duration::max());
}

TEST_CASE("I13: the fast-slow limiter is fast for the first failures, then slow") {
  FastSlowLimiter limiter(milliseconds(5), seconds(10), 2);
  CHECK(limiter.when("a") == milliseconds(5));
  CHECK(limiter.when("a") == milliseconds(5));
  CHECK(limiter.when("a") == seconds(10));
  CHECK(limiter.num_requeues("a") == 3);
  limiter.forget("a");
  CHECK(limiter.when("a") == milliseconds(5));
}

TEST_CASE("I13: limiters combine to the longest delay, and to a maximum wait") {
  std::vector<std::unique_ptr<RateLimiter>> both;
  both.push_back(std::make_unique<FastSlowLimiter>(milliseconds(5), seconds(3), 2));
  both.push_back(std::make_unique<ExponentialFailureLimiter>(milliseconds(1), seconds(1000)));
  MaxWaitLimiter limiter(std::make_unique<MaxOfLimiter>(std::move(both)), seconds(2));
  CHECK(limiter.when("a") == milliseconds(5));
  CHECK(limiter.when("a") == milliseconds(5));
  CHECK(limiter.when("a") == seconds(2));
  CHECK(limiter.num_requeues("a") == 3);
  limiter.forget("a");
  CHECK(limiter.num_requeues("a") == 0);
  CHECK(limiter.when("a") == milliseconds(5));
}

TEST_CASE("a token bucket allows a burst, then one at a time, and refills") {
  FakeClock clock;
  BucketLimiter limiter(clock, 10.0, 2);
  CHECK(limiter.when("a") == seconds(0));
  CHECK(limiter.when("b") == seconds(0));
  CHECK(limiter.when("a") == milliseconds(100));
  CHECK(limiter.when("a") == milliseconds(200));
  CHECK(limiter.num_requeues("a") == 0);
  clock.advance(seconds(60));
  CHECK(limiter.when("a") == seconds(0));
  CHECK(limiter.when("a") == seconds(0));
  CHECK(limiter.when("a") == milliseconds(100));
}

TEST_CASE("a token bucket without room for a token allows nothing") {
  FakeClock clock;
  BucketLimiter no_burst(clock, 10.0, 0);
  CHECK(no_burst.when("a") == RateLimiter::Duration::max());
  BucketLimiter no_refill(clock, 0.0, 1);
  CHECK(no_refill.when("a") == seconds(0));
  CHECK(no_refill.when("a") == RateLimiter::Duration::max());
}

}  // namespace
}  // namespace kinf
