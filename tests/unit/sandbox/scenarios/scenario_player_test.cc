// SPDX-License-Identifier: Apache-2.0
// The player on a clock that stands still, and the result of the built-in scenarios.
#include "kinf/sandbox/scenarios/scenario_player.h"

#include <doctest/doctest.h>

#include <atomic>

#include "fakes/fake_clock.h"
#include "kinf/sandbox/scenarios/built_in_scenarios.h"
#include "kinf/sandbox/scenarios/scenario_file.h"

using kinf::sandbox::ApiTypePtr;
using kinf::sandbox::Json;
using kinf::sandbox::Scenario;
using kinf::sandbox::ScenarioPlayer;
using kinf::sandbox::ScenarioStep;
using kinf::sandbox::StepAction;

namespace {

/// A store with the player of one scenario, not started yet.
struct Stage {
  explicit Stage(Scenario scenario, double speed = 1)
      : player(objects, types, clock, std::move(scenario), speed,
               {[this] { ended = true; },
                [this](const kinf::sandbox::FaultSpec& spec) { fault = spec.kind; }}) {
    REQUIRE(player.load_initial("scenario", false).has_value());
  }
  explicit Stage(const std::string& yaml)
      : Stage(kinf::sandbox::parse_scenario(yaml, "scenario").value()) {}

  /// Advances the clock once the player waits, and waits until it has played what is due.
  void pass(kinf::Clock::Duration time) {
    clock.wait_for_sleepers(1);
    clock.advance(time);
    clock.wait_for_sleepers(1);
  }
  void pass_to_end(kinf::Clock::Duration time) {
    clock.advance(time);
    while (!ended) std::this_thread::yield();
  }

  Json find(const char* api_version, const char* kind, const std::string& name) {
    const ApiTypePtr type = types.find_kind(api_version, kind);
    const auto stored = objects.get(*type, {type->namespaced ? "default" : "", name});
    return stored ? (*stored)->json : Json();
  }
  std::size_t count(const char* key) { return store.list(key).objects.size(); }

  kinf::test::FakeClock clock;
  kinf::sandbox::ApiTypes types;
  kinf::sandbox::ResourceStore store{clock};
  kinf::sandbox::ObjectService objects{store, types, clock, 1};
  std::atomic<bool> ended = false;
  kinf::sandbox::FaultKind fault = kinf::sandbox::FaultKind::none;
  ScenarioPlayer player;
};

/// Plays all steps of a scenario as fast as its thread can.
void play_whole(Stage& stage) {
  stage.player.start();
  while (!stage.ended) {
    stage.clock.advance(std::chrono::seconds(1));
    std::this_thread::yield();
  }
}

}  // namespace

TEST_CASE("steps are played at their time, and the end is reported") {
  Stage stage(R"(
objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a, creationTimestamp: $now-60}}]
steps:
- {at: 1, apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {at: $now}}}
- {at: 3, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: "1"}}}
)");
  CHECK(stage.find("v1", "ConfigMap", "a")["metadata"]["creationTimestamp"] ==
        "2026-11-21T10:13:00Z");
  stage.player.start();
  stage.pass(std::chrono::milliseconds(900));
  CHECK(stage.find("v1", "ConfigMap", "b").is_null());
  stage.pass(std::chrono::milliseconds(100));
  CHECK(stage.find("v1", "ConfigMap", "b")["data"]["at"] == "2026-11-21T10:14:01Z");
  CHECK_FALSE(stage.ended);
  stage.pass_to_end(std::chrono::seconds(2));
  CHECK(stage.find("v1", "ConfigMap", "a")["data"]["x"] == "1");
}

TEST_CASE("apply merges into an existing object, patch needs one, a fault is passed on") {
  Stage stage(R"(
objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {kept: "1"}}]
steps:
- {at: 0, apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {added: "2"}}}
- {at: 0, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: absent}, data: {x: "1"}}}
- {at: 0, apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: far, namespace: new}}}
- {at: 0, apply: {apiVersion: v1, kind: Gadget, metadata: {name: unknown}}}
- {at: 0, fault: gone}
)");
  play_whole(stage);
  CHECK(stage.find("v1", "ConfigMap", "a")["data"] == Json{{"kept", "1"}, {"added", "2"}});
  CHECK(stage.find("v1", "ConfigMap", "absent").is_null());
  CHECK_FALSE(stage.find("v1", "Namespace", "new").is_null());
  CHECK(stage.fault == kinf::sandbox::FaultKind::gone);
}

TEST_CASE("a deleted pod on a node is removed after a second, one with a finalizer stays") {
  Stage stage(R"(
objects:
- {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {nodeName: n1}}
- {apiVersion: v1, kind: Pod, metadata: {name: held, finalizers: [x.test/y]}, spec: {nodeName: n1}}
steps:
- {at: 1, delete: {apiVersion: v1, kind: Pod, metadata: {name: a}}}
- {at: 1, delete: {apiVersion: v1, kind: Pod, metadata: {name: held}}}
)");
  stage.player.start();
  stage.pass(std::chrono::seconds(1));
  CHECK(stage.find("v1", "Pod", "a")["metadata"].contains("deletionTimestamp"));
  CHECK(stage.player.removes("pods", {"default", "a"}));
  stage.pass_to_end(std::chrono::seconds(1));
  CHECK(stage.find("v1", "Pod", "a").is_null());
  CHECK(stage.find("v1", "Pod", "held")["metadata"]["deletionGracePeriodSeconds"] == 0);
  CHECK_FALSE(stage.player.removes("pods", {"default", "a"}));
  CHECK_FALSE(stage.player.removes("pods", {"default", "held"}));
}

TEST_CASE("an error in an initial object names its number") {
  kinf::test::FakeClock clock;
  kinf::sandbox::ApiTypes types;
  kinf::sandbox::ResourceStore store{clock};
  kinf::sandbox::ObjectService objects{store, types, clock, 1};
  Scenario scenario;
  scenario.initial = {{{"apiVersion", "v1"}, {"kind", "Gadget"}, {"metadata", {{"name", "g"}}}}};
  ScenarioPlayer player(objects, types, clock, scenario, 1, {});
  CHECK(player.load_initial("my.yaml", false).error().message ==
        "my.yaml: object 1: unknown kind Gadget in v1; load its CustomResourceDefinition too");
}

TEST_CASE("rollout leaves three pods of the new image, owned by the new ReplicaSet") {
  Stage stage(kinf::sandbox::rollout_scenario());
  play_whole(stage);
  const Json deployment = stage.find("apps/v1", "Deployment", "web");
  CHECK(deployment["spec"]["template"]["spec"]["containers"][0]["image"] == "web:2");
  CHECK(deployment["metadata"]["generation"] == 2);
  CHECK(deployment["status"]["observedGeneration"] == 2);
  CHECK(deployment["status"]["updatedReplicas"] == 3);
  CHECK_FALSE(deployment["status"].contains("unavailableReplicas"));
  CHECK(deployment["metadata"]["annotations"]["deployment.kubernetes.io/revision"] == "2");
  int sets = 0;
  for (const auto& set : stage.store.list("replicasets.apps").objects) {
    ++sets;
    const Json& json = set->json;
    CHECK(json["metadata"]["ownerReferences"][0]["uid"] == deployment["metadata"]["uid"]);
    CHECK(json["status"]["observedGeneration"] == json["metadata"]["generation"]);
    CHECK(json["status"]["replicas"] == json["spec"]["replicas"]);
  }
  CHECK(sets == 2);
  const Json set = stage.find("apps/v1", "ReplicaSet", "web-7d4f9b8c66");
  int pods = 0;
  for (const auto& pod : stage.store.list("pods").objects) {
    ++pods;
    CHECK(pod->json["metadata"]["ownerReferences"][0]["uid"] == set["metadata"]["uid"]);
    CHECK(pod->json["status"]["phase"] == "Running");
  }
  CHECK(pods == 3);
}

TEST_CASE("crashloop ends with three restarts and an event with a count of three") {
  Stage stage(kinf::sandbox::crashloop_scenario());
  play_whole(stage);
  const Json pod = stage.find("v1", "Pod", "api");
  const Json& container = pod["status"]["containerStatuses"][0];
  CHECK(container["restartCount"] == 3);
  CHECK(container["state"]["waiting"]["reason"] == "CrashLoopBackOff");
  CHECK(container["lastState"]["terminated"]["exitCode"] == 1);
  int count = 0;
  for (const auto& event : stage.store.list("events").objects) {
    CHECK(event->json["involvedObject"]["uid"] == pod["metadata"]["uid"]);
    if (event->json["reason"] == "BackOff") count = event->json["count"];
  }
  CHECK(count == 3);
}

TEST_CASE("churn is the same for the same seed, and keeps to its rate") {
  const auto script = [](std::uint64_t seed) {
    const Scenario scenario = kinf::sandbox::churn_scenario({20, 50, seed, 0});
    std::string text;
    for (int i = 0; i < 200; ++i) {
      const ScenarioStep step = scenario.generate().value();
      CHECK(step.at == std::chrono::milliseconds(20 * i));
      text += std::to_string(static_cast<int>(step.action)) + step.object.dump();
    }
    return text;
  };
  CHECK(script(1) == script(1));
  CHECK(script(1) != script(2));
}

TEST_CASE("churn never ends, and each of its steps changes something") {
  Stage stage(kinf::sandbox::churn_scenario({10, 1, 1, 0}));
  const std::uint64_t before = stage.store.version();
  stage.player.start();
  for (int second = 0; second < 100; ++second) {
    stage.pass(std::chrono::seconds(1));
  }
  CHECK(stage.store.version() == before + 101);
  CHECK_FALSE(stage.ended);
  CHECK(stage.count("pods") <= 10);
}
