// SPDX-License-Identifier: Apache-2.0
#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf;
using namespace kinf::sandbox;
using std::chrono::seconds;

namespace {

constexpr const char* kJobType = "jobs.batch";
using Lines = std::vector<std::string>;

/// Creates the Job `job` with one container that runs `command`.
StoredPtr create_job(ClusterWorld& w, const Json& command, const Json& spec = Json::object()) {
  Json pod = ClusterWorld::with_command(command);
  pod["restartPolicy"] = "Never";
  Json members = {{"template", {{"spec", pod}}}};
  members.update(spec);
  return w.create({{"apiVersion", "batch/v1"},
                   {"kind", "Job"},
                   {"metadata", {{"name", "job"}}},
                   {"spec", members}});
}
Json current_job(const ClusterWorld& w) { return w.get(kJobType, "job"); }
Json job_status(const ClusterWorld& w) { return current_job(w)["status"]; }
/// The conditions of the Job with the status True, with their reasons.
Lines true_conditions(const Json& object) {
  Lines lines;
  for (const Json& each : elements(field(object, "status", "conditions"))) {
    if (each["status"] == "True") lines.push_back(text(each["type"]) + " " + text(each["reason"]));
  }
  return lines;
}

}  // namespace

TEST_CASE("a Job runs a pod and completes, in the states of a real controller") {
  ClusterWorld w;
  create_job(w, {"sleep", "2"});
  w.pass(seconds(10));
  const Lines states = w.history(kJobType, "job", [](const Json& object) {
    const Json& now = field(object, "status");
    std::string line;
    for (const char* key : {"active", "ready", "succeeded"}) {
      line += std::to_string(integer_or(field(now, key), 0));
    }
    for (const std::string& each : true_conditions(object)) line += " " + each;
    return line +
           (field(now, "uncountedTerminatedPods", "succeeded").is_null() ? "" : " uncounted");
  });
  CHECK(states == Lines{"ADDED 000", "MODIFIED 100", "MODIFIED 110",
                        "MODIFIED 000 SuccessCriteriaMet CompletionsReached uncounted",
                        "MODIFIED 001 SuccessCriteriaMet CompletionsReached "
                        "Complete CompletionsReached"});
  CHECK(job_status(w)["completionTime"].is_string());
  CHECK(w.reasons("job") == Lines{"SuccessfulCreate", "Completed"});
  REQUIRE(w.all("pods").size() == 1);
  const Json pod = w.all("pods").front();
  CHECK_FALSE(pod["metadata"].contains("finalizers"));
  CHECK(pod["metadata"]["labels"]["job-name"] == "job");
  CHECK(pod["metadata"]["labels"]["batch.kubernetes.io/controller-uid"] ==
        current_job(w)["metadata"]["uid"]);
}

TEST_CASE("a podFailurePolicy ends a Job at once, or does not count a failure") {
  const auto rule = [](const char* action) {
    const Json codes = {{"operator", "In"}, {"values", {1}}};
    return Json{{"podFailurePolicy",
                 {{"rules", Json::array({{{"action", action}, {"onExitCodes", codes}}})}}}};
  };
  ClusterWorld failing;
  create_job(failing, {"false"}, rule("FailJob"));
  failing.pass(seconds(10));
  CHECK(true_conditions(current_job(failing)) ==
        Lines{"FailureTarget PodFailurePolicy", "Failed PodFailurePolicy"});
  ClusterWorld patient;
  Json spec = rule("Ignore");
  spec["backoffLimit"] = 0;
  create_job(patient, {"false"}, spec);
  patient.pass(seconds(60));
  CHECK(true_conditions(current_job(patient)).empty());
  CHECK(patient.all("pods").size() > 2);
  CHECK_FALSE(job_status(patient).contains("failed"));
}

TEST_CASE("a Job runs as many pods at a time as its parallelism permits") {
  ClusterWorld w;
  create_job(w, {"sleep", "5"}, {{"completions", 5}, {"parallelism", 2}});
  std::size_t most = 0;
  for (int i = 0; i < 300; ++i) {
    w.pass(std::chrono::milliseconds(100));
    most = std::max(most,
                    static_cast<std::size_t>(std::ranges::count_if(w.all("pods"), is_active_pod)));
  }
  CHECK(most == 2);
  CHECK(job_status(w)["succeeded"] == 5);
  CHECK(true_conditions(current_job(w)).back() == "Complete CompletionsReached");
}

TEST_CASE("a Job whose pods fail tries again after growing pauses, then fails") {
  ClusterWorld w;
  create_job(w, {"false"}, {{"backoffLimit", 2}});
  w.pass(seconds(8));
  CHECK(job_status(w)["failed"] == 1);
  CHECK(w.all("pods").size() == 1);
  w.pass(seconds(10));
  CHECK(w.all("pods").size() == 2);
  w.pass(seconds(12));
  CHECK(w.all("pods").size() == 2);
  CHECK(true_conditions(current_job(w)).empty());
  w.pass(seconds(20));
  CHECK(job_status(w)["failed"] == 3);
  CHECK(w.all("pods").size() == 3);
  CHECK(true_conditions(current_job(w)) ==
        Lines{"FailureTarget BackoffLimitExceeded", "Failed BackoffLimitExceeded"});
  CHECK(w.reasons("job").back() == "BackoffLimitExceeded");
}

TEST_CASE("restarts in a pod count against the limit, too") {
  ClusterWorld w;
  Json pod = ClusterWorld::with_command({"false"});
  pod["restartPolicy"] = "OnFailure";
  create_job(w, {}, {{"backoffLimit", 1}, {"template", {{"spec", pod}}}});
  w.pass(seconds(60));
  CHECK(true_conditions(current_job(w)).back() == "Failed BackoffLimitExceeded");
  CHECK(w.all("pods").empty());
  CHECK(job_status(w)["failed"] == 1);
}

TEST_CASE("a Job that is active for too long ends with its pods") {
  ClusterWorld w(1, {.speed = 2});
  create_job(w, {"sleep", "infinity"}, {{"activeDeadlineSeconds", 20}});
  w.pass(std::chrono::milliseconds(9900));
  CHECK(true_conditions(current_job(w)).empty());
  w.pass(std::chrono::milliseconds(200));
  CHECK(true_conditions(current_job(w)) == Lines{"FailureTarget DeadlineExceeded"});
  CHECK(job_status(w)["terminating"] == 1);
  w.pass(seconds(60));
  CHECK(true_conditions(current_job(w)) ==
        Lines{"FailureTarget DeadlineExceeded", "Failed DeadlineExceeded"});
  CHECK(w.all("pods").empty());
}

TEST_CASE("a suspended Job has no pods and no start time until it is resumed") {
  ClusterWorld w;
  create_job(w, {"sleep", "30"});
  w.pass(seconds(5));
  w.change(kJobType, "job", [](Json& object) { object["spec"]["suspend"] = true; });
  w.pass(seconds(60));
  CHECK(w.all("pods").empty());
  CHECK(true_conditions(current_job(w)) == Lines{"Suspended JobSuspended"});
  CHECK_FALSE(job_status(w).contains("startTime"));
  CHECK_FALSE(job_status(w).contains("failed"));
  w.change(kJobType, "job", [](Json& object) { object["spec"]["suspend"] = false; });
  CHECK(job_status(w)["startTime"].is_string());
  w.pass(seconds(60));
  CHECK(true_conditions(current_job(w)).back() == "Complete CompletionsReached");
  CHECK(w.reasons("job") == Lines{"SuccessfulCreate", "SuccessfulDelete", "Suspended",
                                  "SuccessfulCreate", "Resumed", "Completed"});
}

TEST_CASE("a finished Job goes after its time to live, with its pods") {
  ClusterWorld w;
  create_job(w, {"true"}, {{"ttlSecondsAfterFinished", 30}});
  w.pass(seconds(25));
  CHECK(true_conditions(current_job(w)).back() == "Complete CompletionsReached");
  w.pass(seconds(10));
  CHECK(current_job(w).is_null());
  CHECK(w.all("pods").empty());
}

TEST_CASE("pods of a deleted Job can go: nothing tracks them") {
  ClusterWorld w;
  create_job(w, {"sleep", "infinity"});
  w.pass(seconds(5));
  w.remove(kJobType, "job", with(Propagation::background));
  w.pass(seconds(60));
  CHECK(w.all("pods").empty());
  create_job(w, {"sleep", "infinity"});
  w.pass(seconds(5));
  w.remove(kJobType, "job", with(Propagation::orphan));
  w.pass(seconds(60));
  REQUIRE(w.all("pods").size() == 1);
  CHECK_FALSE(w.all("pods").front()["metadata"].contains("finalizers"));
}

TEST_CASE("a deleted pod of a Job is replaced and counts as failed") {
  ClusterWorld w;
  create_job(w, {"sleep", "infinity"});
  w.pass(seconds(5));
  w.remove("pods", text(w.all("pods").front()["metadata"]["name"]));
  CHECK(job_status(w)["failed"] == 1);
  w.pass(seconds(60));
  CHECK(w.all("pods").size() == 1);
  CHECK(job_status(w)["active"] == 1);
}

TEST_CASE("a Job that another controller manages is left alone") {
  ClusterWorld w;
  create_job(w, {"true"}, {{"managedBy", "example.com/queue"}});
  w.pass(seconds(10));
  CHECK(w.all("pods").empty());
}

TEST_CASE("an Indexed Job has one pod for each index, and repeats those that fail") {
  ClusterWorld w;
  create_job(w, {"sleep", "5"},
             {{"completionMode", "Indexed"}, {"completions", 3}, {"parallelism", 2}});
  w.pass(seconds(3));
  std::string names;
  for (const Json& pod : w.all("pods")) {
    const std::string name = text(pod["metadata"]["name"]);
    names += name.substr(0, name.size() - 5) + " " + text(pod["spec"]["hostname"]) + " ";
  }
  CHECK(names == "job-0- job-0 job-1- job-1 ");
  w.remove("pods", text(w.all("pods").front()["metadata"]["name"]));
  w.pass(seconds(120));
  CHECK(true_conditions(current_job(w)).back() == "Complete CompletionsReached");
  CHECK(job_status(w)["succeeded"] == 3);
  CHECK(job_status(w)["failed"] == 1);
  CHECK(job_status(w)["completedIndexes"] == "0-2");
}
