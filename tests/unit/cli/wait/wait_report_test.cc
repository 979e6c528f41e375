// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/wait/wait_report.h"

#include <doctest/doctest.h>

#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

const WaitSource kPodSource{0, 0, &test::kPods, "", "default", ""};
const WaitSource kSecretSource{0, 0, &test::kSecrets, "", "default", ""};
constexpr Clock::Wall kNow = test::kNow;

AwaitedObject existing(const std::string& json, const WaitSource& source = kPodSource) {
  ObjectFacts facts;
  facts.kind = source.type->kind;
  facts.json = json;
  AwaitedObject object;
  object.source = &source;
  object.ns = "default";
  object.name = "web-1";
  object.last = Object::create(facts);
  object.exists = true;
  object.changed = kNow - 3s;
  object.met = {false};
  return object;
}

std::string state(const std::string& condition, const AwaitedObject& object) {
  WaitGoal goal;
  goal.conditions = *parse_conditions({condition}, "--for");
  return last_state(goal, object, kNow);
}

const std::string kPod =
    R"({"status":{"phase":"Pending","conditions":[)"
    R"({"type":"Ready","status":"False","reason":"ContainersNotReady","message":"not ready: [main]"},)"
    R"({"type":"PodScheduled","status":"True"},{"type":"ContainersReady","status":"False"}],)"
    R"("initContainerStatuses":[)"
    R"({"name":"setup","state":{"terminated":{"exitCode":0,"reason":"Completed"}}}],)"
    R"("containerStatuses":[)"
    R"({"name":"main","restartCount":2,"state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off"}}},)"
    R"({"name":"side","state":{"terminated":{"exitCode":1,"reason":"Error"}}},)"
    R"({"name":"slow","ready":false,"state":{"running":{}}},{"name":"ok","ready":true,"state":{"running":{}}}]}})";

TEST_CASE("the last state answers the condition") {
  const AwaitedObject pod = existing(kPod);
  CHECK(state("condition=Ready", pod) ==
        "condition Ready=False (ContainersNotReady: not ready: [main])");
  CHECK(state("condition=ContainersReady", pod) == "condition ContainersReady=False");
  CHECK(state("condition=Missing=Unknown", pod) ==
        "no condition Missing, only Ready, PodScheduled, ContainersReady");
  CHECK(state("jsonpath={.status.phase}=Running", pod) == ".status.phase is Pending");
  CHECK(state("jsonpath={.status.ip}", pod) == ".status.ip has no value");
  CHECK(state("jq=.a == 1", pod) == "jq=.a == 1 does not hold");
  CHECK(state("delete", pod) == "exists, its deletion was not requested");
}

TEST_CASE("an object that is being deleted shows its finalizers") {
  ObjectFacts facts;
  facts.deleting = true;
  facts.json = R"({"metadata":{"finalizers":["a.io/x","b.io/y"]}})";
  AwaitedObject object = existing("{}");
  object.last = Object::create(facts);
  CHECK(state("delete", object) == "being deleted, finalizers: a.io/x, b.io/y");
}

TEST_CASE("an outdated condition says so") {
  CHECK(state("condition=Ready",
              existing(R"({"metadata":{"generation":2},"status":{"observedGeneration":1,)"
                       R"("conditions":[{"type":"Ready","status":"True"}]}})")) ==
        "condition Ready=True of an older generation");
}

TEST_CASE("an absent object has no other state") {
  AwaitedObject object = existing("{}");
  object.exists = false;
  CHECK(state("create", object) == "deleted 3s ago");
  object.last = nullptr;
  CHECK(state("create", object) == "never existed in namespace default");
  object.ns.clear();
  CHECK(state("create", object) == "never existed");
}

TEST_CASE("values of Secrets are not shown") {
  const AwaitedObject secret = existing(R"({"data":{"key":"aGk="}})", kSecretSource);
  CHECK(state("jsonpath=.data.key=x", secret) == ".data.key has another value");
}

TEST_CASE("long texts are cut between characters") {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "ä";
  const std::string shown = state("jsonpath=.a=x", existing(R"({"a":"y)" + text + "\"}"));
  CHECK(shown.size() < 320);
  CHECK(shown.ends_with("ä…"));
}

TEST_CASE("reasons are containers that do not run, and conditions that are not true") {
  WaitGoal goal;
  goal.conditions = *parse_conditions({"condition=Ready"}, "--for");
  CHECK(reasons(goal, *existing(kPod).last) ==
        Lines{"container main: waiting (CrashLoopBackOff: back-off), restarts: 2",
              "container side: terminated with exit code 1 (Error)",
              "container slow: running, not ready", "condition ContainersReady=False"});
}

TEST_CASE("a container that was started again shows how it ended before") {
  const AwaitedObject pod =
      existing(R"({"kind":"Pod","status":{"containerStatuses":[{"name":"main","restartCount":4,)"
               R"("state":{"waiting":{"reason":"CrashLoopBackOff"}},)"
               R"("lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled"}}}]}})");
  CHECK(reasons({}, *pod.last) == Lines{"container main: waiting (CrashLoopBackOff), restarts: 4, "
                                        "last ended with exit code 137 (OOMKilled)"});
}

TEST_CASE("a failed job has a reason, whatever is awaited") {
  WaitGoal goal;
  goal.conditions = *parse_conditions({"condition=Complete"}, "--for");
  CHECK(reasons(goal, *existing(R"({"status":{"conditions":[{"type":"Failed","status":"True",)"
                                R"("reason":"Deadline"},{"type":"Odd","status":"True"}]}})")
                           .last) == Lines{"condition Failed=True (Deadline)"});
}

TEST_CASE("errors name objects as kubectl does") {
  CHECK(resource_name(existing("{}")) == "pods/web-1");
  CHECK(kind_name(existing("{}")) == "pod/web-1");
}

}  // namespace
}  // namespace kinf
