// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/duration.h"

#include <doctest/doctest.h>

using namespace kinf;
using namespace std::chrono_literals;

TEST_CASE("durations are read as Go reads them") {
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

TEST_CASE("what is no duration is refused, also what does not fit") {
  for (const char* text : {"", "-", "5", "s", "5x", "1 s", "1s ", ".s", "5sm", "1..5s", "0x5s",
                           "9223372037s", "99999999999999999999s", "9000000h"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text).has_value());
  }
}
