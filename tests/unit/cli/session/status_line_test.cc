// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/status_line.h"

#include <doctest/doctest.h>

#include <latch>
#include <string>
#include <vector>

#include "fakes/fake_clock.h"

namespace kinf {
namespace {

/// Records what is drawn. Read it while the line's thread waits on the clock.
struct Screen {
  StatusLine::Draw draw() {
    return [this](std::string_view line) { lines.emplace_back(line); };
  }
  std::vector<std::string> lines;
};

using Lines = std::vector<std::string>;

TEST_CASE("U3: the line appears after a second, is redrawn, and is removed at the end") {
  test::FakeClock clock;
  Screen screen;
  {
    StatusLine line(
        clock,
        [](Clock::Duration waited) {
          return std::to_string(
              std::chrono::duration_cast<std::chrono::milliseconds>(waited).count());
        },
        screen.draw());
    clock.wait_for_sleepers(1);
    clock.advance(std::chrono::milliseconds(999));
    clock.wait_for_sleepers(1);
    CHECK(screen.lines.empty());
    clock.advance(std::chrono::milliseconds(1));
    clock.wait_for_sleepers(1);
    CHECK(screen.lines == Lines{"1000"});
    line.follow([](Clock::Duration) { return "listing"; });
    clock.advance(StatusLine::kPeriod);
    clock.wait_for_sleepers(1);
    CHECK(screen.lines == Lines{"1000", "listing"});
  }
  CHECK(screen.lines == Lines{"1000", "listing", ""});
}

TEST_CASE("U3: the line ends for good when there is nothing more to show") {
  test::FakeClock clock;
  Screen screen;
  std::latch second(2);
  {
    StatusLine line(
        clock,
        [&second](Clock::Duration) -> std::optional<std::string> {
          second.count_down();
          if (second.try_wait()) return std::nullopt;
          return "working";
        },
        screen.draw());
    clock.wait_for_sleepers(1);
    clock.advance(StatusLine::kDelay);
    clock.wait_for_sleepers(1);
    clock.advance(StatusLine::kPeriod);
    second.wait();
  }
  CHECK(screen.lines == Lines{"working", ""});
}

}  // namespace
}  // namespace kinf
