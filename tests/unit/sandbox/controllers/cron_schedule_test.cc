// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/cron_schedule.h"

#include <doctest/doctest.h>

#include <string>

#include "kinf/base/timestamp.h"

using namespace kinf;
using namespace kinf::sandbox;

namespace {

CronSchedule::Time time_at(const std::string& text) {
  const auto time = parse_timestamp(text + ":00Z");
  REQUIRE(time.has_value());
  return *time;
}
std::string shown(const std::optional<CronSchedule::Time>& time) {
  return time ? timestamp_text(*time).substr(0, 16) : "never";
}
/// The next time of a schedule after a time. 2026-11-22 is a Sunday.
std::string next_time(const char* schedule, const std::string& after) {
  const auto parsed = CronSchedule::parse(schedule);
  REQUIRE(parsed.has_value());
  return shown(parsed->next(time_at(after)));
}
std::string last_time(const char* schedule, const std::string& begin, const std::string& end) {
  return shown(CronSchedule::parse(schedule)->last_between(time_at(begin), time_at(end)));
}

}  // namespace

TEST_CASE("a schedule's next time matches all its fields") {
  CHECK(next_time("* * * * *", "2026-11-22T10:14") == "2026-11-22T10:15");
  CHECK(next_time("*/5 * * * *", "2026-11-22T10:15") == "2026-11-22T10:20");
  CHECK(next_time("5/20 * * * *", "2026-11-22T10:26") == "2026-11-22T10:45");
  CHECK(next_time("0 8-18/5 * * *", "2026-11-22T10:00") == "2026-11-22T13:00");
  CHECK(next_time("30 23 * * *", "2026-12-31T23:30") == "2027-01-01T23:30");
  CHECK(next_time("0 0 29 2 *", "2026-11-22T00:00") == "2028-02-29T00:00");
  CHECK(next_time("15,45 3 * feb *", "2026-11-22T00:00") == "2027-02-01T03:15");
  CHECK(next_time("0 9 * * MON-fri", "2026-11-22T00:00") == "2026-11-23T09:00");
  CHECK(next_time("0 0 31 2 *", "2026-11-22T00:00") == "never");
}

TEST_CASE("if the days of the month and of the week are restricted, one of them suffices") {
  CHECK(next_time("0 0 13 * fri", "2026-11-22T00:00") == "2026-11-27T00:00");
  CHECK(next_time("0 0 23 * fri", "2026-11-22T00:00") == "2026-11-23T00:00");
  CHECK(next_time("0 0 * * fri", "2026-11-22T00:00") == "2026-11-27T00:00");
  CHECK(next_time("0 0 13 * *", "2026-11-22T00:00") == "2026-12-13T00:00");
}

TEST_CASE("a schedule may have a name or a period") {
  CHECK(next_time("@hourly", "2026-11-22T10:14") == "2026-11-22T11:00");
  CHECK(next_time("@daily", "2026-11-22T10:14") == "2026-11-23T00:00");
  CHECK(next_time("@weekly", "2026-11-22T10:14") == "2026-11-29T00:00");
  CHECK(next_time("@monthly", "2026-11-22T10:14") == "2026-12-01T00:00");
  CHECK(next_time("@yearly", "2026-11-22T10:14") == "2027-01-01T00:00");
  CHECK(next_time("@every 1h30m", "2026-11-22T10:14") == "2026-11-22T11:44");
}

TEST_CASE("what is no schedule is an error") {
  for (const char* text : {"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *",
                           "* * * 13 *", "* * * * 7", "*/0 * * * *", "5-1 * * * *", "a * * * *",
                           "1-2-3 * * * *", ", * * * *", "* * * * anu", "@never", "@every x",
                           "1/2/3 * * * *", "-1 * * * *", "99999999999 * * * *"}) {
    CHECK_MESSAGE(!CronSchedule::parse(text), text);
  }
  CHECK(CronSchedule::parse("60 * * * *").error().message == "invalid minute: 60");
}

TEST_CASE("a large step leaves only the first value") {
  CHECK(next_time("0/4294967295 * * * *", "2026-11-22T10:14") == "2026-11-22T11:00");
}

TEST_CASE("the last time of a period is found in short and long ones") {
  CHECK(last_time("*/5 * * * *", "2026-11-22T10:00", "2026-11-22T10:14") == "2026-11-22T10:10");
  CHECK(last_time("*/5 * * * *", "2026-11-22T10:10", "2026-11-22T10:14") == "never");
  CHECK(last_time("0 0 1 1 *", "2020-11-22T10:00", "2026-11-22T10:14") == "2026-01-01T00:00");
  CHECK(last_time("* * * * *", "2020-11-22T10:00", "2026-11-22T10:14") == "2026-11-22T10:14");
  CHECK(last_time("@every 7m", "2026-11-22T10:00", "2026-11-22T10:15") == "2026-11-22T10:14");
}
