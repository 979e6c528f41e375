// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/clock.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "fakes/fake_clock.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;

TEST_CASE("a sleeper wakes at its deadline and not before") {
  test::FakeClock clock;
  std::atomic<bool> reached = false;
  std::jthread sleeper(
      [&](const std::stop_token& stop) { reached = sleep_until(clock, clock.now() + 1h, stop); });
  clock.wait_for_sleepers(1);
  clock.advance(59min);
  clock.wait_for_sleepers(1);
  CHECK_FALSE(reached);
  clock.advance(1min);
  sleeper.join();
  CHECK(reached);
}

TEST_CASE("stop releases a sleeper on either clock") {
  test::FakeClock fake;
  RealClock real;
  for (Clock* clock : {static_cast<Clock*>(&fake), static_cast<Clock*>(&real)}) {
    std::atomic<bool> reached = true;
    std::jthread sleeper([&](const std::stop_token& stop) {
      reached = sleep_until(*clock, clock->now() + 24h, stop);
    });
    sleeper.request_stop();
    sleeper.join();
    CHECK_FALSE(reached);
  }
}

TEST_CASE("many threads may sleep and wake while time moves") {
  test::FakeClock clock;
  for (int round = 0; round < 200; ++round) {
    std::jthread first([&](const std::stop_token& s) { sleep_until(clock, clock.now() + 1s, s); });
    std::jthread second([&](const std::stop_token& s) { sleep_until(clock, clock.now() + 2s, s); });
    clock.wait_for_sleepers(2);
    second.request_stop();
    clock.advance(3s);
  }
  CHECK(clock.now().time_since_epoch() == 1h + 600s);
}

TEST_CASE("the real clock reaches a deadline") {
  RealClock clock;
  const auto before = clock.now();
  CHECK(sleep_until(clock, before + 1ms, {}));
  CHECK(clock.now() >= before + 1ms);
}

}  // namespace
}  // namespace kinf
