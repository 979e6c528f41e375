// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/scenarios/built_in_scenarios.h"
#include "kinf/sandbox/scenarios/scenario_objects.h"

namespace kinf::sandbox {

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
                                  {{"app", "robusta-runner"}},
                                  "robusta-runner",
                                  "robusta:1",
                                  "198.51.100.13"}),
                      since_long({"wiremock-84d49c989c-zg4ls",
                                  {{"app", "wiremock"}},
                                  "wiremock",
                                  "wiremock:3",
                                  "198.51.100.14"})};
  const ScenarioPod nettool = {
      "nettool", {{"run", "nettool"}}, "nettool", "nettool:1", "198.51.100.15"};
  // Each step is slightly later than the second at which it should be visible, because the output
  // includes ages.
  scenario.steps = {{Millis(0), StepAction::apply, new_pod(nettool)},
                    schedule_pod_step(Millis(400), nettool),
                    start_pod_step(Millis(2200), nettool)};
  for (ScenarioStep& step : delete_pod_steps(Millis(9200), nettool)) {
    scenario.steps.push_back(std::move(step));
  }
  return scenario;
}

}  // namespace kinf::sandbox
