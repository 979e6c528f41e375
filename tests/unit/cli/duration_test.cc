// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/duration.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

using namespace std::chrono_literals;

TEST_CASE("durations are read as kubectl reads them, a bare number as seconds") {
  struct Case {
    std::string_view text;
    std::chrono::nanoseconds duration;
  };
  const Case cases[] = {{"30s", 30s},        {"2m", 2min}, {"1h30m", 90min}, {"1.5s", 1500ms},
                        {"250ms", 250ms},    {"7", 7s},    {"0", 0s},        {"0s", 0s},
                        {"1m0.5s", 60500ms}, {"2d", 48h},  {"100us", 100us}};
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CHECK(parse_duration_flag(one.text).value() == one.duration);
  }
}

TEST_CASE("what is no duration is refused") {
  for (const std::string_view text :
       {"", "s", "-1s", "-0", "1x", "1s2", "1h 3m", "1e3s", "nan", "inf", "99999999h", "+1s"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration_flag(text).has_value());
  }
}

}  // namespace
}  // namespace kinf
