// SPDX-License-Identifier: Apache-2.0
#include "kinf/columns/aged_cells.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "kinf/base/timestamp.h"

namespace kinf {
namespace {

using Json = nlohmann::json;

TableColumn column(const std::string& name, const std::string& type = "string",
                   const std::string& description = "") {
  return {name, type, "", description, 0};
}

constexpr const char* kCustomPath =
    "Custom resource definition column (in JSONPath format): .status.since";

/// Returns the cell at 10:05, or `same` if it does not depend on time.
std::string aged(const char* object, const TableColumn& shown) {
  const Clock::Wall now = wall_time(*parse_timestamp("2026-11-21T10:05:00Z"));
  return aged_cell(Json::parse(object), shown, now).value_or("same");
}

TEST_CASE("the age and the time of the last restart of a pod are counted up to now") {
  const char* const pod = R"({"apiVersion":"v1","kind":"Pod",
    "metadata":{"name":"web","creationTimestamp":"2026-11-21T10:00:00Z"},
    "status":{"containerStatuses":[{"restartCount":2,
      "lastState":{"terminated":{"finishedAt":"2026-11-21T10:04:00Z"}}}]}})";
  CHECK(aged(pod, column("Age")) == "5m");
  CHECK(aged(pod, column("Restarts")) == "2 (60s ago)");
  CHECK(aged(pod, column("Ready")) == "same");
  CHECK_MESSAGE(
      aged(R"({"apiVersion":"v1","kind":"Pod","metadata":{}})", column("Restarts")) == "same",
      "the status is missing");
}

TEST_CASE("the times of Events, Jobs and CronJobs are counted up to now") {
  CHECK(aged(R"({"apiVersion":"v1","kind":"Event","lastTimestamp":"2026-11-21T10:03:00Z"})",
             column("Last Seen")) == "2m");
  CHECK(aged(R"({"apiVersion":"batch/v1","kind":"Job","status":{
             "startTime":"2026-11-21T10:04:30Z"}})",
             column("Duration")) == "30s");
  const char* const cron_job = R"({"apiVersion":"batch/v1","kind":"CronJob","status":{
    "lastScheduleTime":"2026-11-21T10:00:00Z"}})";
  CHECK(aged(cron_job, column("Last Schedule")) == "5m");
  CHECK(aged(R"({"apiVersion":"batch/v1","kind":"CronJob"})", column("Last Schedule")) == "same");
}

TEST_CASE("V9: as data, cells have times instead of ages, and durations in seconds") {
  const Clock::Wall now = wall_time(*parse_timestamp("2026-11-21T10:05:00Z"));
  const auto timed = [&](const char* object, const TableColumn& shown) {
    return timed_cell(Json::parse(object), shown, now).value_or("same");
  };
  const char* const event = R"({"apiVersion":"v1","kind":"Event","message":"m",
    "firstTimestamp":"2026-11-21T10:01:00Z","lastTimestamp":"2026-11-21T10:03:00Z"})";
  CHECK(timed(event, column("Last Seen")) == "2026-11-21T10:03:00Z");
  CHECK(timed(event, column("First Seen")) == "2026-11-21T10:01:00Z");
  CHECK(timed(event, column("Reason")) == "same");
  const char* const job = R"({"apiVersion":"batch/v1","kind":"Job","status":{
    "startTime":"2026-11-21T10:00:00Z","completionTime":"2026-11-21T10:04:30Z"}})";
  CHECK(timed(job, column("Duration")) == "270");
  CHECK(timed(R"({"apiVersion":"batch/v1","kind":"CronJob","status":{
    "lastScheduleTime":"2026-11-21T10:00:00Z"}})",
              column("Last Schedule")) == "2026-11-21T10:00:00Z");
  CHECK(timed(R"({"status":{"since":"2026-11-21T10:04:55Z"}})",
              column("Since", "date", kCustomPath)) == "2026-11-21T10:04:55Z");
  CHECK(without_age("3 (114s ago)") == "3");
  CHECK(without_age("3") == "3");
  CHECK(without_age(" ago)") == " ago)");
}

TEST_CASE("a custom column of the type date is counted if its path is known") {
  const char* const widget = R"({"apiVersion":"example.com/v1","kind":"Widget",
    "status":{"since":"2026-11-21T10:04:55Z","word":"soon"}})";
  CHECK(aged(widget, column("Since", "date", kCustomPath)) == "5s");
  CHECK(aged(widget, column("Since", "string", kCustomPath)) == "same");
  CHECK(aged(widget, column("Since", "date", "when it began")) == "same");
  CHECK(aged(R"({"status":{"since":"soon"}})", column("Since", "date", kCustomPath)) == "same");
}

TEST_CASE("the document of a row is needed only if another age than the creation is shown") {
  const TableColumns pods{{column("Name"), column("Restarts"), column("Age")}};
  CHECK_FALSE(shows_other_ages("v1", "Pod", pods, R"(["web","0","5m"])"));
  CHECK(shows_other_ages("v1", "Pod", pods, R"x(["web","1 (3s ago)","5m"])x"));
  const TableColumns events{{column("Last Seen"), column("Reason")}};
  CHECK(shows_other_ages("events.k8s.io/v1", "Event", events, "[]"));
  CHECK_FALSE(shows_other_ages("example.com/v1", "Event", events, "[]"));
  CHECK(shows_other_ages("example.com/v1", "Widget", {{column("Since", "date", kCustomPath)}}, ""));
}

}  // namespace
}  // namespace kinf
