// SPDX-License-Identifier: Apache-2.0
// A pod and its eight updates, as a kubelet writes them. The phase stays Running until the pod is
// gone, as before Kubernetes 1.27. (Since then, the phase becomes Succeeded or Failed when the
// containers have ended.) A kubelet removes the pod together with the last update. Here the two
// steps are a second apart, so that a client's queue has delivered the update before the deletion
// arrives.
#include <fmt/format.h>

#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/scenarios/built_in_scenarios.h"
#include "kinf/sandbox/scenarios/scenario_objects.h"

namespace kinf::sandbox {
namespace {

/// Returns the conditions that say whether the container is ready. A null member removes the member
/// from the pod.
Json readiness(const ScenarioPod& pod, bool ready) {
  Json conditions = Json::array();
  for (const char* type : {"ContainersReady", "Ready"}) {
    Json condition = condition_json(type, ready, kNow);
    condition["reason"] = ready ? Json() : Json("ContainersNotReady");
    condition["message"] =
        ready ? Json() : Json(fmt::format("containers with unready status: [{}]", pod.container));
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

Json has_sandbox(bool holds) { return condition_json("PodReadyToStartContainers", holds, kNow); }

/// Generates the steps in the life cycle of one pod. Each step contains only the fields that
/// change.
class PodStory {
 public:
  explicit PodStory(ScenarioPod pod) : pod_(std::move(pod)) {}

  // The output includes ages in whole seconds. So each step is at most half a second after a full
  // second, never just before one.
  std::vector<ScenarioStep> steps() {
    steps_ = {{Millis(0), StepAction::apply, new_pod(pod_)}};
    come_up();
    go_down();
    return std::move(steps_);
  }

 private:
  void come_up() {
    Json bound = Json::object();
    bind_pod(bound, "node-1", kNow);
    steps_.push_back(patch_step(Millis(100), "v1", "Pod", pod_.name, bound));
    Json conditions = readiness(pod_, false);
    conditions.push_back(condition_json("Initialized", true, kNow));
    conditions.push_back(has_sandbox(false));
    Json created = with_container(waiting_state("ContainerCreating"), std::move(conditions));
    created["hostIP"] = "192.0.2.10";
    created["hostIPs"] = Json::array({{{"ip", "192.0.2.10"}}});
    created["startTime"] = kNow;
    report(Millis(500), std::move(created));
    report(Millis(1100), {{"conditions", Json::array({has_sandbox(true)})},
                          {"podIP", pod_.ip},
                          {"podIPs", Json::array({{{"ip", pod_.ip}}})}});
    Json running = with_container(running_state(kNow), readiness(pod_, true));
    running["phase"] = "Running";
    report(Millis(2100), std::move(running));
  }

  void go_down() {
    const Json pod = scenario_object("v1", "Pod", pod_.name);
    steps_.push_back({Millis(8100), StepAction::delete_gracefully, pod});
    const Json ended = {{"terminated",
                         {{"exitCode", 0},
                          {"reason", "Completed"},
                          {"startedAt", "$now-6"},
                          {"finishedAt", kNow}}}};
    report(Millis(8500), with_container(ended, readiness(pod_, false)));
    report(Millis(9100), {{"conditions", Json::array({has_sandbox(false)})}});
    steps_.push_back({Millis(9500), StepAction::end_grace, pod});
    steps_.push_back({Millis(10'500), StepAction::finish_deletion, pod});
  }

  Json with_container(Json state, Json conditions) const {
    return {{"conditions", std::move(conditions)},
            {"containerStatuses", container_statuses(pod_, {std::move(state)})}};
  }
  void report(Millis at, Json status) {
    steps_.push_back(patch_step(at, "v1", "Pod", pod_.name, {{"status", std::move(status)}}));
  }

  const ScenarioPod pod_;
  std::vector<ScenarioStep> steps_;
};

}  // namespace

Scenario nettool_scenario() {
  const auto since_long = [](const ScenarioPod& pod) { return running_pod(pod, kThreeDaysAgo); };
  Scenario scenario;
  scenario.initial = {node_json("node-1"),
                      since_long({"quickstart-es-default-0",
                                  {{"app", "quickstart-es"}},
                                  "quickstart-es",
                                  "elasticsearch:8",
                                  "198.51.100.11"}),
                      since_long({"robusta-forwarder-5f65fd6fbb-s2trs",
                                  {{"app", "robusta-forwarder"}, {"tier", "forwarder"}},
                                  "robusta-forwarder",
                                  "kubewatch:2",
                                  "198.51.100.12"}),
                      since_long({"robusta-runner-567655bf5b-v4xvj",
                                  {{"app", "robusta"}},
                                  "robusta-runner",
                                  "robusta:1",
                                  "198.51.100.13"}),
                      since_long({"wiremock-84d49c989c-zg4ls",
                                  {{"app", "wiremock"}},
                                  "wiremock",
                                  "wiremock:3",
                                  "198.51.100.14"})};
  scenario.steps = PodStory({.name = "nettool",
                             .labels = {{"run", "nettool"}},
                             .container = "nettool",
                             .image = "nettool:1",
                             .ip = "198.51.100.15"})
                       .steps();
  return scenario;
}

}  // namespace kinf::sandbox
