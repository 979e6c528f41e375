// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <vector>

#include "kinf/base/random.h"
#include "kinf/sandbox/scenarios/built_in_scenarios.h"
#include "kinf/sandbox/scenarios/scenario_objects.h"

namespace kinf::sandbox {
namespace {

/// Generates the steps. The set of pod names is fixed, but usually not all of the pods exist.
class Churn {
 public:
  explicit Churn(const ChurnSettings& settings)
      : rate_(settings.rate), random_(settings.seed), restarts_(settings.objects, 0) {}

  ScenarioPod pod(std::size_t number) const {
    return {fmt::format("churn-{:05}", number),
            {{"app", fmt::format("app-{}", number % 7)}, {"churn", "true"}},
            "main",
            "churn:1",
            fmt::format("198.18.{}.{}", number / 256 % 256, number % 256)};
  }

  /// Picks a random pod. Creates it if it does not exist. Otherwise deletes it with a probability
  /// of 1/8, or else restarts its container.
  ScenarioStep next() {
    const std::size_t number = random_.next() % restarts_.size();
    const ScenarioPod which = pod(number);
    const auto at = Millis(std::llround(1000.0 * static_cast<double>(count_++) / rate_));
    int& restarts = restarts_[number];
    if (restarts < 0) {
      restarts = 0;
      return {at, StepAction::apply, running_pod(which, kNow)};
    }
    if (random_.next() % 8 == 0) {
      restarts = -1;
      return {at, StepAction::force_delete, scenario_object("v1", "Pod", which.name)};
    }
    ++restarts;
    const Json ended = {
        {"terminated", {{"exitCode", 0}, {"reason", "Completed"}, {"finishedAt", kNow}}}};
    return container_step(at, which, {running_state(kNow), ended, restarts});
  }

 private:
  const double rate_;
  Random random_;
  std::uint64_t count_ = 0;
  std::vector<int> restarts_;  ///< restarts of each pod; negative: the pod does not exist
};

}  // namespace

Scenario churn_scenario(const ChurnSettings& settings) {
  const auto churn = std::make_shared<Churn>(settings);
  Scenario scenario;
  scenario.initial.push_back(node_json("node-1"));
  for (std::size_t i = 0; i < settings.objects; ++i) {
    scenario.initial.push_back(running_pod(churn->pod(i), kThreeDaysAgo));
  }
  // The steps are generated while they are played, because millions of steps would need too much
  // memory.
  scenario.generate = [churn, changes = settings.changes,
                       played = std::uint64_t{0}]() mutable -> std::optional<ScenarioStep> {
    if (changes != 0 && played++ == changes) return std::nullopt;
    return churn->next();
  };
  return scenario;
}

}  // namespace kinf::sandbox
