// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "kinf/sandbox/scenarios/built_in_scenarios.h"
#include "kinf/sandbox/scenarios/scenario_objects.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kPodUid = "5b0c3d7e-1f52-4c4e-9d67-0f6a1c2b9e01";

const ScenarioPod& crashing_pod() {
  static const ScenarioPod pod = {"api",           {{"app", "api"}}, "api",  "api:3",
                                  "198.51.100.21", nullptr,          kPodUid};
  return pod;
}

Json failed_state() {
  return {{"terminated",
           {{"exitCode", 1}, {"reason", "Error"}, {"startedAt", "$now-3"}, {"finishedAt", kNow}}}};
}

}  // namespace

Scenario crashloop_scenario() {
  const ScenarioPod& pod = crashing_pod();
  Scenario scenario;
  scenario.initial = {
      node_json("node-1"),
      running_pod({"web", {{"app", "web"}}, "web", "web:1", "198.51.100.20"}, kThreeDaysAgo)};
  EventRecorder events;
  const EventContent backing_off = {
      .type = "Warning",
      .reason = "BackOff",
      .message = "Back-off restarting failed container api in pod api_default",
      .component = "kubelet"};
  std::vector<ScenarioStep>& steps = scenario.steps;
  steps = {{Millis(0), StepAction::apply, new_pod(pod)},
           events.scheduled(Millis(300), pod),
           schedule_pod_step(Millis(400), pod)};
  // Each pair is the start of a run and the back-off after the run, in seconds. The first run has
  // no back-off.
  const std::vector<std::pair<int, int>> runs = {{2, 0}, {6, 6}, {16, 10}, {30, 20}};
  for (int restarts = 0; const auto& [second, pause] : runs) {
    const Millis begin = std::chrono::seconds(second) + Millis(200);
    const Millis failure = begin + std::chrono::seconds(3);
    const Json last = restarts == 0 ? Json::object() : failed_state();
    steps.push_back(events.pulled(begin - Millis(100), pod));
    steps.push_back(events.created(begin - Millis(50), pod));
    steps.push_back(container_step(begin, pod, {running_state(kNow), last, restarts}));
    steps.push_back(events.started(begin + Millis(100), pod));
    steps.push_back(container_step(failure, pod, {failed_state(), last, restarts}));
    if (pause > 0) {
      const std::string message = fmt::format(
          "back-off {}s restarting failed container=api pod=api_default({})", pause, kPodUid);
      const Millis at = failure + std::chrono::seconds(1);
      steps.push_back(container_step(
          at, pod, {waiting_state("CrashLoopBackOff", message), failed_state(), restarts}));
      steps.push_back(events.record(at + Millis(100), subject_container(pod), backing_off));
    }
    ++restarts;
  }
  return scenario;
}

}  // namespace kinf::sandbox
