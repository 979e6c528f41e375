// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/delay_line.h"

#include <doctest/doctest.h>

namespace kinf::sandbox {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Clock::Mono kStart{seconds(1000)};

/// Takes everything that may leave now, piece by piece.
std::string take(DelayLine& line, Clock::Mono now, std::uint64_t speed = 0) {
  std::string taken;
  for (;;) {
    const std::string_view bytes = line.front(now, speed);
    if (bytes.empty()) return taken;
    taken += bytes;
    line.pop(bytes.size(), now, speed);
  }
}

TEST_CASE("bytes leave in order, none before it is due") {
  DelayLine line;
  CHECK(line.next(kStart, 0) == Clock::kNever);
  line.push("late", kStart + milliseconds(25));
  line.push("early", kStart);  // as after a change of the latency
  CHECK(take(line, kStart + milliseconds(24)).empty());
  CHECK(line.next(kStart, 0) == kStart + milliseconds(25));
  CHECK(take(line, kStart + milliseconds(25)) == "lateearly");
  CHECK(line.is_empty());
}

TEST_CASE("a limit of 12 MB/s lets 12 MB leave in a second, however late the caller is") {
  DelayLine line;
  for (int i = 0; i < 200; ++i) line.push(std::string(100'000, 'x'), kStart);
  std::size_t sent = 0;
  int wakes = 0;
  Clock::Mono now = kStart;
  for (;;) {
    now = line.next(now, 12'000'000) + std::chrono::microseconds(wakes % 3 * 700);
    if (now > kStart + seconds(1)) break;
    sent += take(line, now, 12'000'000).size();
    ++wakes;
  }
  CHECK(sent > 11'850'000);
  CHECK(sent <= 12'000'000);
  CHECK(wakes < 250);
}

TEST_CASE("an idle link saves nothing up, and a slow one sends single bytes") {
  DelayLine line;
  line.push("a", kStart);
  CHECK(take(line, kStart + milliseconds(250), 2).empty());
  CHECK(take(line, kStart + milliseconds(500), 2) == "a");
  line.push("bcd", kStart + seconds(60));
  CHECK(take(line, kStart + seconds(60), 2).empty());
  CHECK(take(line, kStart + milliseconds(60'500), 2) == "b");
}

TEST_CASE("the line is full when it holds what a link of this speed holds") {
  const auto capacity = [](std::uint64_t speed, Clock::Duration delay) {
    DelayLine line;
    while (!line.is_full(speed, delay)) line.push(std::string(1000, 'x'), kStart);
    return line.size();
  };
  CHECK(capacity(0, {}) < 300'000);
  CHECK(capacity(0, milliseconds(25)) > 20'000'000);
  CHECK(capacity(1000, milliseconds(25)) < 300'000);
  CHECK(capacity(0, seconds(10)) < 70'000'000);
}

TEST_CASE("release lets everything leave at once") {
  DelayLine line;
  line.push("one", kStart + seconds(9));
  line.release();
  CHECK(take(line, kStart) == "one");
}

}  // namespace
}  // namespace kinf::sandbox
