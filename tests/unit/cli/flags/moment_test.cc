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
  CHECK(at("15m") == "2026-11-21T09:59:00Z");
  CHECK(at("now") == "2026-11-21T10:14:00Z");
}

TEST_CASE("A time without a zone is local") {
  const Zone zone("XYZ-2");
  CHECK(at("10:14") == "2026-11-21T08:14:00Z");
  CHECK(at("2026-10-25 03:50:00") == "2026-10-25T01:50:00Z");
  CHECK(at("2026-11-23T20:14:31") == "2026-11-23T18:14:31Z");
  CHECK(at("2025-01-02 10:14") == "2025-01-02T08:14:00Z");
  CHECK(at("2026-11-01 12:00:00Z") == "2026-11-01T12:00:00Z");
  CHECK(at("yesterday 10:14:03.5") == "2026-11-20T08:14:03Z");
}

TEST_CASE("a time that a change of the clocks repeats is the first one, a skipped one is later") {
  const Zone zone("CET-1CEST,M3.5.0,M10.5.0/3");
  CHECK(at("2026-10-25 02:30") == "2026-10-25T00:30:00Z");
  CHECK(at("2026-10-25 01:59:59") == "2026-10-24T23:59:59Z");
  CHECK(at("2026-10-25 03:00") == "2026-10-25T02:00:00Z");
  CHECK(at("2026-03-29 02:30") == "2026-03-29T01:30:00Z");  // that is 03:30
  CHECK(at("2026-03-29 01:59") == "2026-03-29T00:59:00Z");
  CHECK(at("2026-03-29 03:00") == "2026-03-29T01:00:00Z");
  CHECK(at("4026-11-23T10:14:00.20") == "2262-04-11T23:47:16Z");  // the clock's last second
  const auto most_recent = [](std::string_view text, std::string_view now) {
    return timestamp_text(std::chrono::floor<std::chrono::seconds>(
        parse_moment(text, wall_time(parse_timestamp(now).value())).value()));
  };
  CHECK(most_recent("02:30", "2026-10-25T01:40:00Z") == "2026-10-25T01:30:00Z");
  CHECK(most_recent("02:30", "2026-10-25T01:20:00Z") == "2026-10-25T00:30:00Z");
  CHECK(most_recent("23:00", "2026-10-25T20:00:00Z") == "2026-10-24T21:00:00Z");
}

TEST_CASE("Anything else is no moment") {
  for (const std::string text : {"", "10", "25:00", "10:60", "10:14:", "1:14", "-x", "tomorrow",
                                 "2026-02-30 10:14", "2026-11-21 25:00", "10:14Z", "10:14:03.",
                                 "end", "10:14+01:00", "yesterday", "2026-11-21"}) {
    CAPTURE(text);
    CHECK(at(text).find("is not a time such as 10:14") != std::string::npos);
  }
}

TEST_CASE("A full time keeps its fraction of a second") {
  const auto moment = parse_moment("2026-11-21T10:14:00.25Z", FakeClock::kStart);
  REQUIRE(moment.has_value());
  CHECK(*moment == FakeClock::kStart + std::chrono::milliseconds(250));
  const Zone zone("UTC");
  CHECK(parse_moment("10:13:59.118", FakeClock::kStart).value() ==
        FakeClock::kStart - std::chrono::milliseconds(882));
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
  CHECK(parse("end")->before_end == Clock::Duration());
  CHECK(parse("end-15m")->before_end == std::chrono::minutes(15));
  CHECK(parse("end - 1h,rv=7")->version == 7);
  for (const std::string text :
       {"", "end+1m", "end-", "end-x", "ending", "rv=", "rv=x", "rv=1,", "-1m;rv=7"}) {
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
