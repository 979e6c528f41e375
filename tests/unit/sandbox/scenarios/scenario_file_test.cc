// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/scenarios/scenario_file.h"

#include <doctest/doctest.h>

#include "kinf/sandbox/scenarios/scenario.h"

using kinf::sandbox::find_scenario;
using kinf::sandbox::is_relative_time;
using kinf::sandbox::parse_scenario;
using kinf::sandbox::Scenario;
using kinf::sandbox::ScenarioStep;
using kinf::sandbox::StepAction;
using std::chrono::milliseconds;

namespace {

std::string problem_of(const std::string& text) {
  const auto scenario = parse_scenario(text, "scenario.yaml");
  return scenario ? "" : scenario.error().message;
}

/// The problem of the only step.
std::string step_problem(const std::string& step) {
  const std::string problem = problem_of("steps: [" + step + "]");
  const std::string_view prefix = "scenario.yaml: step 1: ";
  return problem.starts_with(prefix) ? problem.substr(prefix.size()) : "elsewhere: " + problem;
}

constexpr const char* kPod = "{apiVersion: v1, kind: Pod, metadata: {name: web}}";

}  // namespace

TEST_CASE("a scenario file has objects and steps, which are put in the order of their times") {
  const auto scenario = parse_scenario(R"(
objects:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings, creationTimestamp: $now-3600}
steps:
- at: 1m
  fault: gone
- at: 1.5
  patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: b}}
- at: 0
  apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: other}}
)",
                                       "scenario.yaml");
  REQUIRE(scenario.has_value());
  REQUIRE(scenario->initial.size() == 1);
  CHECK(scenario->initial[0]["metadata"]["name"] == "settings");
  REQUIRE(scenario->steps.size() == 3);
  CHECK(scenario->steps[0].at == milliseconds(0));
  CHECK(scenario->steps[0].action == StepAction::apply);
  CHECK(scenario->steps[1].at == milliseconds(1500));
  CHECK(scenario->steps[1].action == StepAction::patch);
  CHECK(scenario->steps[1].object["data"]["a"] == "b");
  CHECK(scenario->steps[2].at == milliseconds(60'000));
  CHECK(scenario->steps[2].fault.kind == kinf::sandbox::FaultKind::gone);
}

TEST_CASE("a pod that is deleted leaves a second later, or at once; all else just goes") {
  const auto scenario = parse_scenario(R"(
steps:
- {at: 2, delete: {apiVersion: v1, kind: Pod, metadata: {name: a}}}
- {at: 5, delete: {apiVersion: v1, kind: Pod, metadata: {name: b}}, now: true}
- {at: 7, delete: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}}
)",
                                       "scenario.yaml");
  REQUIRE(scenario.has_value());
  std::vector<std::pair<StepAction, int>> seen;
  for (const ScenarioStep& step : scenario->steps) {
    seen.emplace_back(step.action, static_cast<int>(step.at.count()));
  }
  CHECK(seen == std::vector<std::pair<StepAction, int>>{{StepAction::delete_gracefully, 2000},
                                                        {StepAction::finish_deletion, 3000},
                                                        {StepAction::force_delete, 5000},
                                                        {StepAction::delete_gracefully, 7000}});
}

TEST_CASE("JSON is a scenario, too") {
  CHECK(parse_scenario(R"({"steps":[{"at":"1s","fault":"gone"}]})", "scenario.json").has_value());
  CHECK(parse_scenario("{\n\"steps\":[,", "scenario.json").error().message ==
        "scenario.json: json: line 2: syntax error");
}

TEST_CASE("an error in a scenario names the file, the place, the problem and what is allowed") {
  CHECK(problem_of("steps: [") ==
        "scenario.yaml: yaml: line 2: did not find expected node content");
  CHECK(problem_of("") ==
        "scenario.yaml: 0 documents; a scenario is one document with \"objects\" and \"steps\"");
  CHECK(problem_of("a: 1\n---\nb: 1\n").starts_with("scenario.yaml: 2 documents"));
  CHECK(problem_of("[1]") == "scenario.yaml: not a map with \"objects\" and \"steps\"");
  CHECK(problem_of("stages: []") ==
        "scenario.yaml: unknown member \"stages\"; available members: objects, steps");
  CHECK(problem_of("objects: {}") == "scenario.yaml: \"objects\" is not a list");
  CHECK(problem_of("objects: [{kind: Pod}]") ==
        "scenario.yaml: object 1: not an object: apiVersion, kind and metadata.name are required");
  CHECK(problem_of("objects: [{apiVersion: v1, kind: Pod, metadata: {name: a, "
                   "creationTimestamp: $now-1h}}]") ==
        "scenario.yaml: object 1: \"$now-1h\" is not a time; use $now, $now-SECONDS or "
        "$now+SECONDS");
}

TEST_CASE("an error in a step names its number") {
  CHECK(step_problem("5") == "not a map with \"at\" and one of apply, patch, delete, fault");
  CHECK(step_problem("{at: 1}") ==
        "the step has no action; use one of: apply, patch, delete, fault");
  CHECK(step_problem("{at: 1, aply: 3}") ==
        "unknown member \"aply\"; available members: at, apply, patch, delete, fault, now");
  CHECK(step_problem("{at: 1, fault: gone, apply: {}}") ==
        "both \"apply\" and \"fault\" are set; use one of them");
  CHECK(step_problem("{fault: gone}") ==
        "\"at\" is missing; use a number of seconds or a duration such as 2m");
  for (const char* at : {"-1", "soon", "[1]", "1e300", ".nan", "9999h"}) {
    CAPTURE(at);
    CHECK(step_problem("{at: " + std::string(at) + ", fault: gone}").starts_with("\"at\" is "));
  }
  CHECK(step_problem("{at: 1, fault: nope}")
            .starts_with("unknown fault \"nope\"; available faults: cut"));
  CHECK(step_problem("{at: 1, fault: {}}") ==
        "\"fault\" must be a string such as gone or cut:every=30s");
  CHECK(step_problem("{at: 1, patch: {}}") ==
        "patch: not an object: apiVersion, kind and metadata.name are required");
  CHECK(step_problem("{at: 1, now: true, apply: " + std::string(kPod) + "}") ==
        "\"now\" is only allowed with \"delete\"");
  CHECK(step_problem("{at: 1, now: soon, delete: " + std::string(kPod) + "}") ==
        "\"now\" must be true or false");
}

TEST_CASE("only $now with seconds is a time") {
  for (const char* good : {"$now", "$now-1", "$now+3600", "$now-9999999999"}) {
    CAPTURE(good);
    CHECK(is_relative_time(good));
  }
  for (const char* bad : {"now", "$nowhere", "$now-", "$now5", "$now-1h", "$now-99999999999"}) {
    CAPTURE(bad);
    CHECK_FALSE(is_relative_time(bad));
  }
}

TEST_CASE("scenarios are found by name, with settings where there are any") {
  for (const std::string& name : kinf::sandbox::scenario_names()) {
    CAPTURE(name);
    CHECK(find_scenario(name).has_value());
  }
  CHECK(find_scenario("nothing").error().message ==
        "unknown scenario \"nothing\"; available: churn, crashloop, nettool, quiet, rollout, or a "
        "YAML file");
  CHECK(find_scenario("churn:objects=3:rate=0.5:seed=9")->initial.size() == 4);
  for (const char* bad : {"churn:", "churn:objects", "churn:objects=0", "churn:objects=1e3",
                          "churn:rate=-1", "churn:rate=nan", "churn:rate=1:", "churn:x=1"}) {
    CAPTURE(bad);
    REQUIRE_FALSE(find_scenario(bad).has_value());
    CHECK(find_scenario(bad).error().message.find("churn takes") != std::string::npos);
  }
  CHECK(find_scenario("no/such").error().message == "open no/such: no such file or directory");
  CHECK(find_scenario("no-such.yml").error().kind == kinf::ErrorKind::usage);
}
