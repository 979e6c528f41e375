// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/stories.h"
#include "kinf/sandbox/story_objects.h"

namespace kinf::sandbox {

Scenario nettool_story() {
  const auto since_long = [](const StoryPod& pod) { return running_pod(pod, kThreeDaysAgo); };
  Scenario scenario;
  scenario.initial = {story_node("node-1"),
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
  const StoryPod nettool = {
      "nettool", {{"run", "nettool"}}, "nettool", "nettool:1", "198.51.100.15"};
  // Each step a little behind the second at which it is to be seen, for the ages are printed.
  scenario.steps = {{Millis(0), StepAction::apply, new_pod(nettool), ""},
                    pod_is_placed(Millis(400), nettool),
                    pod_runs(Millis(2200), nettool)};
  for (ScenarioStep& step : pod_goes(Millis(9200), nettool)) {
    scenario.steps.push_back(std::move(step));
  }
  return scenario;
}

}  // namespace kinf::sandbox
