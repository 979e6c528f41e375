// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/duration.h"

#include <doctest/doctest.h>

using namespace kinf;
using namespace std::chrono_literals;

TEST_CASE("durations are parsed as in Go") {
  CHECK(parse_duration("0") == 0ns);
  CHECK(parse_duration("5s") == 5s);
  CHECK(parse_duration("1h2m3.5s") == 1h + 2min + 3500ms);
  CHECK(parse_duration("-1.5h") == -90min);
  CHECK(parse_duration("+.3s") == 300ms);
  CHECK(parse_duration("1.000000001s") == 1'000'000'001ns);
  CHECK(parse_duration("2us3ns") == 2003ns);
  CHECK(parse_duration("2\u00b5s") == 2us);
  CHECK(parse_duration("2\u03bcs") == 2us);
  CHECK(parse_duration("9223372036s") == 9'223'372'036s);
}

TEST_CASE("invalid durations and those that do not fit are rejected") {
  for (const char* text : {"", "-", "5", "s", "5x", "1 s", "1s ", ".s", "5sm", "1..5s", "0x5s",
                           "9223372037s", "1d", "99999999999999999999s", "9000000h"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text).has_value());
  }
}

TEST_CASE("a flag also takes days, and a number alone as seconds") {
  struct Case {
    std::string_view text;
    std::chrono::nanoseconds duration;
  };
  const Case cases[] = {{"30s", 30s},        {"2m", 2min}, {"1h30m", 90min}, {"1.5s", 1500ms},
                        {"250ms", 250ms},    {"7", 7s},    {"0", 0s},        {"0s", 0s},
                        {"1m0.5s", 60500ms}, {"2d", 48h},  {"100us", 100us}, {"876000h", 876000h}};
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CHECK(parse_duration_flag(one.text).value() == one.duration);
  }
}

TEST_CASE("a flag rejects invalid durations, signs and more than a hundred years") {
  for (const std::string_view text : {"", "s", "-1s", "-0", "1x", "1s2", "1h 3m", "1e3s", "nan",
                                      "inf", "876001h", "99999999h", "1m30", ".", "+1s"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration_flag(text).has_value());
  }
}

TEST_CASE("a duration is written as Go writes it, to the millisecond") {
  CHECK(duration_text(5ns) == "5ns");
  CHECK(duration_text(100us) == "100µs");
  CHECK(duration_text(999ms) == "999ms");
  CHECK(duration_text(1280ms) == "1.28s");
  CHECK(duration_text(80s) == "1m20s");
  CHECK(duration_text(2h + 1500ms) == "2h0m1.5s");
}
