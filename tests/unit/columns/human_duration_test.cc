// SPDX-License-Identifier: Apache-2.0
#include "kinf/columns/human_duration.h"

#include <doctest/doctest.h>

#include "fakes/fake_clock.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;

constexpr std::chrono::hours kYear{365 * 24};

TEST_CASE("an age has two units while the smaller one still matters") {
  struct Case {
    std::chrono::nanoseconds duration;
    const char* text;
  };
  const Case cases[] = {
      {0s, "0s"},
      {999ms, "0s"},
      {1s, "1s"},
      {119s, "119s"},
      {120s, "2m"},
      {121s, "2m1s"},
      {125s, "2m5s"},
      {9min + 59s, "9m59s"},
      {10min, "10m"},
      {10min + 59s, "10m"},
      {179min + 59s, "179m"},
      {3h, "3h"},
      {3h + 59s, "3h"},
      {7h + 59min, "7h59m"},
      {8h, "8h"},
      {8h + 59min, "8h"},
      {47h + 59min, "47h"},
      {48h, "2d"},
      {48h + 59min, "2d"},
      {days(3) + 5h, "3d5h"},
      {days(7) + 23h, "7d23h"},
      {days(8), "8d"},
      {days(8) + 23h, "8d"},
      {2 * kYear - 1h, "729d"},
      {2 * kYear, "2y"},
      {2 * kYear + days(1), "2y1d"},
      {8 * kYear - days(1), "7y364d"},
      {8 * kYear, "8y"},
      {8 * kYear + days(200), "8y"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CHECK(human_duration(one.duration) == one.text);
  }
}

TEST_CASE("a clock that is slightly behind gives no negative age") {
  CHECK(human_duration(-1ns) == "0s");
  CHECK(human_duration(-1s) == "0s");
  CHECK(human_duration(-1999ms) == "0s");
  CHECK(human_duration(-2s) == "<invalid>");
  CHECK(human_duration(std::chrono::nanoseconds::min()) == "<invalid>");
}

TEST_CASE("an age is the time between two moments") {
  const Clock::Wall now = test::FakeClock::kStart;
  CHECK(human_age(now - 65s, now) == "65s");
  CHECK(human_age(now, now) == "0s");
  CHECK(human_age(now + 1s, now) == "0s");
  CHECK(human_age(now + 5s, now) == "<invalid>");
}

TEST_CASE("an age beyond what 64 bits of nanoseconds hold stays at the limit") {
  const Clock::Wall now = test::FakeClock::kStart;
  CHECK(human_age(Clock::Wall::min(), now) == "292y");
  CHECK(human_age(Clock::Wall::max(), now) == "<invalid>");
  CHECK(human_age(Clock::Wall::max(), Clock::Wall::min()) == "<invalid>");
  CHECK(human_age(Clock::Wall::min(), Clock::Wall::max()) == "292y");
}

}  // namespace
}  // namespace kinf
