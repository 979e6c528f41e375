// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/moment.h"
#include "kinf/base/number_text.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>

#include "fakes/fake_clock.h"
#include "kinf/base/timestamp.h"

namespace kinf::test {
namespace {

/// The result for 2026-11-21T10:14:00Z, in UTC.
std::string at(std::string_view text) {
  const Result<Clock::Wall> moment = parse_moment(text, FakeClock::kStart);
  if (!moment) return moment.error().message;
  return timestamp_text(std::chrono::floor<std::chrono::seconds>(*moment));
}

struct Zone {
  explicit Zone(const char* name) {
    ::setenv("TZ", name, 1);
    ::tzset();
  }
  ~Zone() {
    ::unsetenv("TZ");
    ::tzset();
  }
};

TEST_CASE("A moment is a time of the day, yesterday, a time ago, or a full time") {
  const Zone zone("UTC");
  CHECK(at("10:14") == "2026-11-21T10:14:00Z");
  CHECK(at("09:05:07") == "2026-11-21T09:05:07Z");
  CHECK(at("10:15") == "2026-11-20T10:15:00Z");  // has not come today
  CHECK(at("yesterday 10:14") == "2026-11-20T10:14:00Z");
  CHECK(at("-15m") == "2026-11-21T09:59:00Z");
  CHECK(at("2026-11-01T12:00:00+02:00") == "2026-11-01T10:00:00Z");
}

TEST_CASE("A time without a zone is local") {
  const Zone zone("XYZ-2");
  CHECK(at("10:14") == "2026-11-21T08:14:00Z");
}

TEST_CASE("Anything else is no moment") {
  for (const std::string text : {"", "10", "25:00", "10:60", "10:14:", "1:14", "-x", "tomorrow",
                                 "yesterday", "2026-11-21"}) {
    CAPTURE(text);
    CHECK(at(text).find("is not a time such as 10:14") != std::string::npos);
  }
}

TEST_CASE("A full time keeps its fraction of a second") {
  const auto moment = parse_moment("2026-11-21T10:14:00.25Z", FakeClock::kStart);
  REQUIRE(moment.has_value());
  CHECK(*moment == FakeClock::kStart + std::chrono::milliseconds(250));
}

TEST_CASE("A recorded moment is a time, a resourceVersion, or both") {
  const auto parse = [](std::string_view text) {
    return parse_recorded_moment(text, FakeClock::kStart);
  };
  CHECK(parse("-15m")->time == FakeClock::kStart - std::chrono::minutes(15));
  CHECK_FALSE(parse("-15m")->version.has_value());
  CHECK(parse("rv=8812")->version == 8812);
  CHECK_FALSE(parse("rv=8812")->time.has_value());
  const auto both = parse("-1m, rv=7");
  REQUIRE(both.has_value());
  CHECK(both->version == 7);
  CHECK(both->time == FakeClock::kStart - std::chrono::minutes(1));
  for (const std::string text : {"", "rv=", "rv=x", "rv=1,", "-1m;rv=7"}) {
    CAPTURE(text);
    CHECK_FALSE(parse(text).has_value());
  }
}

TEST_CASE("A size has a unit or is in bytes") {
  CHECK(parse_size("2GiB").value() == std::int64_t{2} << 30);
  CHECK(parse_size("1.5 kB").value() == 1500);
  CHECK(parse_size("4096").value() == 4096);
  for (const std::string text : {"", "x", "-1", "0", "1e30", "GiB", "1PB", "nan"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_size(text));
  }
  CHECK(size_text(999) == "999 B");
  CHECK(size_text(212'345) == "212 kB");
  CHECK(size_text(3'400'000'000) == "3.4 GB");
}

}  // namespace
}  // namespace kinf::test
