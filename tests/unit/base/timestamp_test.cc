// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/timestamp.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("times are parsed with fractions and offsets if they exist") {
  const auto seconds = [](std::string_view text) -> std::int64_t {
    const auto time = parse_timestamp(text);
    return time ? time->time_since_epoch().count() : -1;
  };
  CHECK(seconds("2026-11-21T10:14:00Z") == 1795256040);
  CHECK(seconds("2026-11-21T10:14:00.999999Z") == 1795256040);
  CHECK(seconds("2026-11-21T12:14:00+02:00") == 1795256040);
  CHECK(seconds("2026-11-21T04:44:00-05:30") == 1795256040);
  CHECK(seconds("2024-02-29T00:00:00Z") == 1709164800);
  for (const char* text :
       {"", "2026-11-21", "2026-11-21T10:14:00", "2026-11-21T10:14:00z", "2026-11-21 10:14:00Z",
        "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-21T24:00:00Z",
        "2026-11-21T10:60:00Z", "2026-11-21T10:14:00Zx", "2026-11-21T10:14:00.Z",
        "2026-11-21T10:14:00.5", "2026-1a-21T10:14:00Z", "2026-11-21T10:14:00+02"}) {
    CAPTURE(text);
    CHECK(seconds(text) == -1);
  }
}

TEST_CASE("a time outside the clock's range becomes its first or last moment") {
  CHECK(wall_time(*parse_timestamp("9999-12-31T23:59:59Z")) == Clock::Wall::max());
  CHECK(wall_time(*parse_timestamp("0001-01-01T00:00:00Z")) == Clock::Wall::min());
  CHECK(wall_time(*parse_timestamp("4026-11-23T10:14:00Z"), std::chrono::milliseconds(200)) ==
        Clock::Wall::max());
  CHECK(parse_precise_timestamp("2262-04-11T23:47:16.999Z") == Clock::Wall::max());
  CHECK(parse_precise_timestamp("1677-01-01T00:00:00.5Z") == Clock::Wall::min());
  CHECK(wall_time(*parse_timestamp("2262-04-11T23:47:16Z")).time_since_epoch() ==
        std::chrono::seconds(9'223'372'036));
}

TEST_CASE("times are written in UTC with the decimal places of their type") {
  using namespace std::chrono_literals;
  const std::chrono::sys_seconds time(1795256040s);
  CHECK(timestamp_text(time) == "2026-11-21T10:14:00Z");
  CHECK(timestamp_text(time + 7ms) == "2026-11-21T10:14:00.007Z");
  CHECK(timestamp_text(time + 1234us) == "2026-11-21T10:14:00.001234Z");
  CHECK(timestamp_text(*parse_timestamp("0001-01-01T00:00:00Z")) == "0001-01-01T00:00:00Z");
  CHECK(timestamp_text(std::chrono::sys_seconds(-1s)) == "1969-12-31T23:59:59Z");
}

}  // namespace
}  // namespace kinf
