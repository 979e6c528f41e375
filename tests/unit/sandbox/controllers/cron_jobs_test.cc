// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/timestamp.h"
#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf;
using namespace kinf::sandbox;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

constexpr const char* kCronType = "cronjobs.batch";
using Lines = std::vector<std::string>;

void create_cron(ClusterWorld& w, const Json& command, const Json& spec = Json::object()) {
  Json pod = ClusterWorld::with_command(command);
  pod["restartPolicy"] = "Never";
  Json members = {
      {"schedule", "* * * * *"},
      {"jobTemplate",
       {{"metadata", {{"labels", {{"a", "b"}}}}}, {"spec", {{"template", {{"spec", pod}}}}}}}};
  members.update(spec);
  w.create({{"apiVersion", "batch/v1"},
            {"kind", "CronJob"},
            {"metadata", {{"name", "cron"}}},
            {"spec", members}});
}
Json cron_status(const ClusterWorld& w) { return w.get(kCronType, "cron")["status"]; }
std::size_t number_of_jobs(const ClusterWorld& w) { return w.all("jobs.batch").size(); }
/// The number of Events with this reason, and its repetitions.
int count_of_events(const ClusterWorld& w, const std::string& reason) {
  int sum = 0;
  for (const Json& event : w.all("events")) {
    if (event["reason"] == reason) sum += event["count"].get<int>();
  }
  return sum;
}

}  // namespace

TEST_CASE("a CronJob creates a Job at each time of its schedule, and keeps the last three") {
  ClusterWorld w;
  create_cron(w, {"true"});
  CHECK(number_of_jobs(w) == 0);
  w.pass(minutes(1));
  REQUIRE(number_of_jobs(w) == 1);
  const Json job = w.all("jobs.batch").front();
  CHECK(job["metadata"]["labels"] == Json{{"a", "b"}});
  const std::string time =
      text(job["metadata"]["annotations"]["batch.kubernetes.io/cronjob-scheduled-timestamp"]);
  CHECK(time.ends_with(":00Z"));
  CHECK(cron_status(w)["lastScheduleTime"] == time);
  const auto since_epoch = parse_timestamp(time)->time_since_epoch();
  CHECK(job["metadata"]["name"] == "cron-" + std::to_string(since_epoch / minutes(1)));
  w.pass(minutes(6) + seconds(30));
  CHECK(number_of_jobs(w) == 3);
  CHECK_FALSE(cron_status(w).contains("active"));
  CHECK(cron_status(w)["lastSuccessfulTime"].is_string());
  CHECK(count_of_events(w, "SuccessfulCreate") == 7 + 7);  // Jobs, and their pods
  CHECK(count_of_events(w, "SawCompletedJob") == 7);
}

TEST_CASE("the schedule follows the speed") {
  ClusterWorld w(1, {.speed = 60});
  create_cron(w, {"true"}, {{"successfulJobsHistoryLimit", 100}});
  w.pass(seconds(10));
  CHECK(number_of_jobs(w) == 10);
  const auto last = parse_timestamp(text(cron_status(w)["lastScheduleTime"]));
  REQUIRE(last.has_value());
  CHECK(wall_time(*last) <= w.clock.wall());
}

TEST_CASE("Forbid waits for the running Job, Replace ends it, Allow starts another one") {
  for (const auto& [policy, running] : {std::pair("Forbid", 1), {"Replace", 1}, {"Allow", 3}}) {
    ClusterWorld w;
    create_cron(w, {"sleep", "infinity"}, {{"concurrencyPolicy", policy}});
    w.pass(minutes(3) + seconds(45));
    CAPTURE(policy);
    CHECK(cron_status(w)["active"].size() == running);
    CHECK(number_of_jobs(w) == running);
    CHECK(count_of_events(w, "JobAlreadyActive") > (std::string(policy) == "Forbid" ? 0 : -1));
    CHECK(count_of_events(w, "SuccessfulDelete") == (std::string(policy) == "Replace" ? 2 : 0));
  }
}

TEST_CASE("a suspended CronJob starts nothing, and catches up with the last time only") {
  ClusterWorld w;
  create_cron(w, {"true"}, {{"suspend", true}, {"successfulJobsHistoryLimit", 100}});
  w.pass(minutes(5));
  CHECK(number_of_jobs(w) == 0);
  w.change(kCronType, "cron", [](Json& cron) { cron["spec"]["suspend"] = false; });
  CHECK(number_of_jobs(w) == 1);
}

TEST_CASE("a start that is later than the deadline is missed") {
  ClusterWorld w;
  create_cron(w, {"true"},
              {{"suspend", true}, {"schedule", "@hourly"}, {"startingDeadlineSeconds", 1}});
  w.pass(minutes(61));
  w.pass(seconds(30));
  w.change(kCronType, "cron", [](Json& cron) { cron["spec"]["suspend"] = false; });
  CHECK(number_of_jobs(w) == 0);
  CHECK(count_of_events(w, "MissSchedule") == 1);
}

TEST_CASE("a schedule or time zone that cannot be followed is reported") {
  ClusterWorld w;
  create_cron(w, {"true"}, {{"schedule", "whenever"}});
  CHECK(count_of_events(w, "UnparseableSchedule") == 1);
  w.change(kCronType, "cron", [](Json& cron) {
    cron["spec"]["schedule"] = "* * * * *";
    cron["spec"]["timeZone"] = "Europe/Berlin";
  });
  w.pass(minutes(2));
  CHECK(count_of_events(w, "UnknownTimeZone") == 1);
  CHECK(number_of_jobs(w) == 0);
}

TEST_CASE("a Job that was made from a CronJob by hand is reported, and one that goes is missed") {
  ClusterWorld w;
  create_cron(w, {"sleep", "infinity"});
  w.pass(minutes(1));
  Json extra = job_of_template(w.get(kCronType, "cron"), {});
  extra["metadata"]["ownerReferences"] = {controller_reference_to(w.get(kCronType, "cron"))};
  w.create(extra);
  CHECK(count_of_events(w, "UnexpectedJob") >= 1);
  w.remove("jobs.batch", text(cron_status(w)["active"][0]["name"]), with(Propagation::background));
  CHECK(count_of_events(w, "MissingJob") == 1);
}
