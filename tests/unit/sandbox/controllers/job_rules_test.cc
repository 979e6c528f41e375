// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/job_rules.h"

#include <doctest/doctest.h>

using namespace kinf::sandbox;

namespace {

Json job_with(const Json& spec) { return {{"spec", spec}}; }

Json job_with_rules(Json rules) {
  return {{"spec", {{"podFailurePolicy", {{"rules", std::move(rules)}}}}}};
}
Json rule_for_codes(const char* action, const char* comparison, const Json& values) {
  return {
      {"action", action},
      {"onExitCodes", {{"containerName", "main"}, {"operator", comparison}, {"values", values}}}};
}
Json rule_for_condition(const char* action, const char* type) {
  return {{"action", action}, {"onPodConditions", Json::array({{{"type", type}}})}};
}
Json failed_pod(int code, const Json& conditions = Json::array()) {
  const Json container = {{"name", "main"}, {"state", {{"terminated", {{"exitCode", code}}}}}};
  return {{"metadata", {{"namespace", "default"}, {"name", "p"}}},
          {"status",
           {{"phase", "Failed"},
            {"conditions", conditions},
            {"containerStatuses", Json::array({container})}}}};
}

const Json kIndexedJob = {{"metadata", {{"name", "j"}}},
                          {"spec", {{"completions", 10}, {"completionMode", "Indexed"}}}};

std::string again(const char* text) {
  return job_indexes_text(parse_job_indexes(kIndexedJob, text));
}

}  // namespace

TEST_CASE("a Job wants as many pods as are missing, at most its parallelism") {
  CHECK(wanted_active(job_with({{"parallelism", 2}, {"completions", 5}}), {}) == 2);
  CHECK(wanted_active(job_with({{"parallelism", 9}, {"completions", 5}}), {.succeeded = 3}) == 2);
  CHECK(wanted_active(job_with({{"parallelism", 2}, {"completions", 5}}), {.succeeded = 6}) == 0);
  CHECK(wanted_active(job_with({{"parallelism", 2}, {"suspend", true}}), {}) == 0);
}

TEST_CASE("a Job without completions starts no more pods after the first success") {
  CHECK(wanted_active(job_with({{"parallelism", 3}}), {.active = 1}) == 3);
  CHECK(wanted_active(job_with({{"parallelism", 3}}), {.active = 2, .succeeded = 1}) == 2);
  CHECK_FALSE(success_of(job_with({{"parallelism", 3}}), {.active = 2, .succeeded = 1}));
  CHECK(success_of(job_with({{"parallelism", 3}}), {.succeeded = 1}));
  CHECK_FALSE(success_of(job_with({{"parallelism", 3}}), {}));
}

TEST_CASE("a Job fails when more pods have failed than its limit permits") {
  CHECK_FALSE(failure_of(job_with({{"backoffLimit", 1}}), {}, {.failed = 1}));
  const auto end = failure_of(job_with({{"backoffLimit", 1}}), {}, {.failed = 2});
  REQUIRE(end);
  CHECK(end->reason == "BackoffLimitExceeded");
  CHECK(std::string(end->interim()) + " " + end->final() == "FailureTarget Failed");
}

TEST_CASE("the back-off of a Job doubles up to ten minutes") {
  std::string pauses;
  for (const int failures : {0, 1, 2, 3, 7, 1000}) {
    pauses += std::to_string(job_back_off(failures).count()) + " ";
  }
  CHECK(pauses == "0 10 20 40 600 600 ");
}

TEST_CASE("a pod that is being deleted counts as failed unless only failed pods are replaced") {
  const Json pod = {{"metadata", {{"deletionTimestamp", "2026-01-01T00:00:00Z"}}},
                    {"status", {{"phase", "Running"}}}};
  CHECK(counts_as_failed(job_with({}), pod));
  CHECK_FALSE(counts_as_failed(job_with({{"podReplacementPolicy", "Failed"}}), pod));
}

TEST_CASE("a false condition is only set if the condition exists") {
  Json status = Json::object();
  CHECK_FALSE(set_job_condition(status, "Suspended", false, "JobResumed", "", "t1"));
  CHECK_FALSE(status.contains("conditions"));
  CHECK(set_job_condition(status, "Suspended", true, "JobSuspended", "", "t1"));
  CHECK_FALSE(set_job_condition(status, "Suspended", true, "JobSuspended", "", "t2"));
  CHECK(set_job_condition(status, "Suspended", false, "JobResumed", "", "t3"));
  CHECK(status["conditions"][0]["lastTransitionTime"] == "t3");
  CHECK(status["conditions"].size() == 1);
}

TEST_CASE("without a matching rule the failure of a pod counts") {
  const FailureVerdict verdict = failure_verdict(Json::object(), failed_pod(1));
  CHECK(verdict.counts);
  CHECK(verdict.message.empty());
  const Json job = job_with_rules(Json::array({rule_for_codes("Ignore", "In", {2, 3})}));
  CHECK(failure_verdict(job, failed_pod(1)).counts);
  CHECK_FALSE(failure_verdict(job, failed_pod(3)).counts);
}

TEST_CASE("a rule with FailJob says which container and which rule ended the Job") {
  const Json job = job_with_rules(Json::array(
      {rule_for_condition("Ignore", "DisruptionTarget"), rule_for_codes("FailJob", "NotIn", {1})}));
  CHECK(failure_verdict(job, failed_pod(1)).message.empty());
  CHECK(failure_verdict(job, failed_pod(42)).message ==
        "Container main for pod default/p failed with exit code 42 matching FailJob rule at index "
        "1");
}

TEST_CASE("the first rule that matches decides") {
  const Json disrupted = Json::array({{{"type", "DisruptionTarget"}, {"status", "True"}}});
  const Json not_disrupted = Json::array({{{"type", "DisruptionTarget"}, {"status", "False"}}});
  const Json job = job_with_rules(Json::array(
      {rule_for_condition("Ignore", "DisruptionTarget"), rule_for_codes("FailJob", "In", {42})}));
  CHECK_FALSE(failure_verdict(job, failed_pod(42, disrupted)).counts);
  CHECK_FALSE(failure_verdict(job, failed_pod(42, not_disrupted)).message.empty());
  const Json strict = job_with_rules(Json::array({rule_for_condition("FailJob", "ConfigIssue")}));
  const Json broken = Json::array({{{"type", "ConfigIssue"}, {"status", "True"}}});
  CHECK(failure_verdict(strict, failed_pod(1, broken)).message ==
        "Pod default/p has condition ConfigIssue matching FailJob rule at index 0");
}

TEST_CASE("indexes are written as ranges of three or more") {
  CHECK(job_indexes_text({}).empty());
  CHECK(job_indexes_text({0}) == "0");
  CHECK(job_indexes_text({0, 1}) == "0,1");
  CHECK(job_indexes_text({0, 1, 2, 4, 6, 7}) == "0-2,4,6,7");
}

TEST_CASE("what is no index of the Job is ignored") {
  CHECK(again("0-2,4") == "0-2,4");
  CHECK(again("8-99999999999") == "8,9");
  CHECK(again("x,-1,3-,5-4,,7") == "7");
  CHECK(again("9223372036854775807,10").empty());
}

TEST_CASE("the first free indexes are used") {
  CHECK(free_job_indexes(kIndexedJob, {0, 2}, 2) == std::vector<std::int64_t>{1, 3});
  CHECK(free_job_indexes(kIndexedJob, {}, 99).size() == 10);
}

TEST_CASE("a pod gets its index once") {
  Json pod = {{"spec", {{"containers", Json::array({{{"name", "c"}}})}}}};
  set_job_index(kIndexedJob, pod, 3);
  set_job_index(kIndexedJob, pod, 4);
  CHECK(job_index_of(kIndexedJob, pod) == 4);
  CHECK(pod["metadata"]["generateName"] == "j-4-");
  CHECK(pod["spec"]["containers"][0]["env"].size() == 1);
  CHECK_FALSE(job_index_of(kIndexedJob, Json::object()));
}
