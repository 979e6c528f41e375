// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/job_failure_policy.h"

#include <doctest/doctest.h>

using namespace kinf::sandbox;

namespace {

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

}  // namespace

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
