// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "kinf/sandbox/scenarios/built_in_scenarios.h"
#include "kinf/sandbox/scenarios/scenario_objects.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kPodUid = "5b0c3d7e-1f52-4c4e-9d67-0f6a1c2b9e01";

const ScenarioPod& crashing_pod() {
  static const ScenarioPod pod = {"api", {{"app", "api"}}, "api", "api:3", "198.51.100.21"};
  return pod;
}

/// An Event about the pod. Each repetition increases its count, as client-go's recorder does.
class ScenarioEvent {
 public:
  ScenarioEvent(std::string suffix, const char* type, const char* reason, std::string message,
                const char* component)
      : name_(crashing_pod().name + "." + suffix),
        type_(type),
        reason_(reason),
        message_(std::move(message)),
        component_(component) {}

  /// Creates the Event, or increases its count if it exists.
  ScenarioStep seen(Millis at) {
    if (++count_ > 1) {
      return patch_step(at, "v1", "Event", name_, {{"count", count_}, {"lastTimestamp", kNow}});
    }
    const Json about = {{"kind", "Pod"},      {"namespace", "default"},
                        {"name", "api"},      {"uid", kPodUid},
                        {"apiVersion", "v1"}, {"fieldPath", "spec.containers{api}"}};
    return {at, StepAction::apply,
            scenario_object("v1", "Event", name_,
                            {{"involvedObject", about},
                             {"reason", reason_},
                             {"message", message_},
                             {"source", {{"component", component_}, {"host", "node-1"}}},
                             {"firstTimestamp", kNow},
                             {"lastTimestamp", kNow},
                             {"count", 1},
                             {"type", type_},
                             {"reportingComponent", component_},
                             {"reportingInstance", "node-1"}})};
  }

 private:
  std::string name_;
  const char* type_;
  const char* reason_;
  std::string message_;
  const char* component_;
  int count_ = 0;
};

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
  ScenarioEvent scheduled("1800000000000001", "Normal", "Scheduled",
                          "Successfully assigned default/api to node-1", "default-scheduler");
  ScenarioEvent pulled("1800000000000002", "Normal", "Pulled",
                       "Container image \"api:3\" already present on machine", "kubelet");
  ScenarioEvent started("1800000000000003", "Normal", "Started", "Started container api",
                        "kubelet");
  ScenarioEvent backing_off("1800000000000004", "Warning", "BackOff",
                            "Back-off restarting failed container api in pod api_default",
                            "kubelet");
  Json created = new_pod(pod);
  created["metadata"]["uid"] = kPodUid;
  std::vector<ScenarioStep>& steps = scenario.steps;
  steps = {{Millis(0), StepAction::apply, std::move(created)},
           scheduled.seen(Millis(300)),
           schedule_pod_step(Millis(400), pod)};
  // The start of each run and the back-off after it, in seconds. The first run has no back-off.
  const std::vector<std::pair<int, int>> runs = {{2, 0}, {6, 6}, {16, 10}, {30, 20}};
  for (int restarts = 0; const auto& [second, pause] : runs) {
    const Millis begin = std::chrono::seconds(second) + Millis(200);
    const Millis failure = begin + std::chrono::seconds(3);
    const Json last = restarts == 0 ? Json::object() : failed_state();
    steps.push_back(pulled.seen(begin - Millis(100)));
    steps.push_back(container_step(begin, pod, {running_state(kNow), last, restarts}));
    steps.push_back(started.seen(begin + Millis(100)));
    steps.push_back(container_step(failure, pod, {failed_state(), last, restarts}));
    if (pause > 0) {
      const std::string message = fmt::format(
          "back-off {}s restarting failed container=api pod=api_default({})", pause, kPodUid);
      const Millis at = failure + std::chrono::seconds(1);
      steps.push_back(container_step(
          at, pod, {waiting_state("CrashLoopBackOff", message), failed_state(), restarts}));
      steps.push_back(backing_off.seen(at + Millis(100)));
    }
    ++restarts;
  }
  return scenario;
}

}  // namespace kinf::sandbox
