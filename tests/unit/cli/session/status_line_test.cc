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

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_CASE("U3: the line has the objects so far, of how many, the rate and the seconds") {
  ListProgress progress("the server");
  CHECK(progress.text({{"pods", 0, 0}}, seconds(1)) == "pods: waiting for the server, 1 s…");
  CHECK(progress.text({{"pods", 500, 50'000}}, milliseconds(2900)) ==
        "pods: 500 of 50,000 objects, 2 s…");
  CHECK(progress.text({{"pods", 4550, 50'000}}, milliseconds(3400)) ==
        "pods: 4,550 of 50,000 objects, 8,100/s, 3 s…");
  CHECK(progress.text({{"pods", 50'000, 50'000}}, milliseconds(3900)) ==
        "pods: 50,000 objects, 49,500/s, 3 s…");
  CHECK(ListProgress("standard input").text({{"pods", 0, 0}}, seconds(1)) ==
        "pods: waiting for standard input, 1 s…");
}

TEST_CASE("U3: the rate is that of the last five seconds") {
  ListProgress progress("the server");
  progress.text({{"pods", 100, 0}}, seconds(1));
  progress.text({{"pods", 50'100, 0}}, seconds(2));
  CHECK(progress.text({{"pods", 50'100, 0}}, seconds(6)) == "pods: 50,100 objects, 10,000/s, 6 s…");
  CHECK(progress.text({{"pods", 50'120, 0}}, seconds(7)) == "pods: 50,120 objects, 4/s, 7 s…");
  CHECK(progress.text({{"pods", 50'120, 0}}, seconds(60)) == "pods: 50,120 objects, 60 s…");
  // A list that starts again has no rate yet.
  CHECK(progress.text({{"pods", 10, 0}}, seconds(61)) == "pods: 10 objects, 61 s…");
}

TEST_CASE("U3: several types share the line") {
  ListProgress progress("the server");
  CHECK(progress.text({{"pods", 0, 0}, {"services", 0, 0}}, seconds(3)) ==
        "pods, services: waiting for the server, 3 s…");
  progress.text({{"pods", 500, 1200}, {"services", 30, 0}}, seconds(4));
  CHECK(progress.text({{"pods", 1000, 1200}, {"services", 40, 0}}, seconds(5)) ==
        "pods: 1,000 of 1,200, services: 40 objects, 510/s, 5 s…");
}

}  // namespace
}  // namespace kinf
