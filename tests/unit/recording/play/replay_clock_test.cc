// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/play/replay_clock.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

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

namespace kinf::test {
namespace {

using namespace std::chrono_literals;

TEST_CASE("a recording is played in its pace, times the speed") {
  FakeClock clock;
  ReplayPace pace(clock, 4);
  const Clock::Wall begin = FakeClock::kStart - 1h;
  pace.wait_for(begin, {});  // returns at once
  std::atomic<int> played = 0;
  std::jthread player([&](const std::stop_token& stop) {
    for (const auto after : {8s, 8s, 20s}) {
      pace.wait_for(begin + after, stop);
      ++played;
    }
  });
  clock.wait_for_sleepers(1);
  clock.advance(1999ms);
  CHECK(played == 0);
  clock.advance(1ms);  // wakes the player, which waits for the third
  while (played < 2) std::this_thread::yield();
  clock.wait_for_sleepers(1);
  clock.advance(3s);
  player.join();
  CHECK(played == 3);
}

TEST_CASE("a wait for the pace ends on stop, also a very long one") {
  FakeClock clock;
  ReplayPace pace(clock, 1e-6);
  pace.wait_for(FakeClock::kStart, {});
  std::jthread player(
      [&](const std::stop_token& stop) { pace.wait_for(FakeClock::kStart + 24h * 365, stop); });
  clock.wait_for_sleepers(1);
  player.request_stop();
}

TEST_CASE("without a speed nothing waits") {
  FakeClock clock;
  ReplayPace pace(clock, std::nullopt);
  pace.wait_for(FakeClock::kStart, {});
  pace.wait_for(FakeClock::kStart + 1h, {});
}

}  // namespace
}  // namespace kinf::test
