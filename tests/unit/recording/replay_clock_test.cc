// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/replay_clock.h"

#include <doctest/doctest.h>

#include "fakes/fake_clock.h"

namespace kinf::test {
namespace {

TEST_CASE("A replay clock shows the recorded time, and skips pauses") {
  FakeClock real;
  ReplayClock clock(real);
  CHECK((clock.wall() == FakeClock::kStart));
  clock.set_wall(FakeClock::kStart - std::chrono::hours(5));
  CHECK((clock.wall() == FakeClock::kStart - std::chrono::hours(5)));
  CHECK((clock.real_wall() == FakeClock::kStart));
  const Clock::Mono now = clock.now();
  clock.skip_to(now + std::chrono::seconds(3));
  CHECK((clock.now() == now + std::chrono::seconds(3)));
  clock.skip_to(now);  // never back
  CHECK((clock.now() == now + std::chrono::seconds(3)));
  real.advance(std::chrono::seconds(1));
  CHECK((clock.now() == now + std::chrono::seconds(4)));
}

}  // namespace
}  // namespace kinf::test
