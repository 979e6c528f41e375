// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/past/past_clock.h"

#include <doctest/doctest.h>

#include "fakes/fake_clock.h"

namespace kinf::sandbox {
namespace {

using namespace std::chrono_literals;

TEST_CASE("the clock of the past stands, runs at its speed, and stops at the end") {
  test::FakeClock real;
  PastClock clock(real);
  CHECK(clock.wall() == real.wall());
  const Clock::Wall begin = real.wall() - 24h;
  clock.stand_at(begin);
  real.advance(1min);
  CHECK(clock.wall() == begin);
  clock.run(10, begin + 1h);
  CHECK(clock.wall() == begin);
  real.advance(2s);
  CHECK(clock.wall() == begin + 20s);
  CHECK(clock.when(begin + 30s) == real.now() + 1s);
  real.advance(24h);
  CHECK(clock.wall() == begin + 1h);
}

TEST_CASE("the clock of the past bears any speed, and an end before its begin") {
  test::FakeClock real;
  PastClock clock(real);
  clock.stand_at(Clock::Wall(10h));
  clock.run(1e6, Clock::Wall(11h));
  real.advance(24h * 365);
  CHECK(clock.wall() == Clock::Wall(11h));
  clock.stand_at(Clock::Wall(10h));
  clock.run(1, Clock::Wall(9h));
  real.advance(1s);
  CHECK(clock.wall() == Clock::Wall(10h));
  // A century at most, because more nanoseconds overflow.
  clock.run(1e-9, Clock::Wall(24h * 30000));
  CHECK(clock.wall() == Clock::Wall(10h));
  CHECK(clock.when(Clock::Wall(24h * 30000)) == real.now() + 24h * 36500);
}

}  // namespace
}  // namespace kinf::sandbox
