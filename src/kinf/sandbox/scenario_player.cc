// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/scenario_player.h"

#include <utility>

#include "kinf/base/log.h"
#include "kinf/sandbox/patch.h"

namespace kinf::sandbox {

ScenarioPlayer::ScenarioPlayer(ObjectService& objects, const ApiTypes& types, Clock& clock,
                               Scenario scenario, double speed, std::function<void()> on_end)
    : objects_(objects),
      types_(types),
      clock_(clock),
      scenario_(std::move(scenario)),
      speed_(speed),
      on_end_(std::move(on_end)) {}

ScenarioPlayer::~ScenarioPlayer() { stop(); }

Result<> ScenarioPlayer::load_initial() {
  for (const Json& object : scenario_.initial) {
    const Answer<StoredPtr> stored = objects_.load(with_times(object, clock_.wall()));
    if (!stored) return fail(ErrorKind::internal, "scenario: " + stored.error().message);
  }
  return {};
}

void ScenarioPlayer::start() {
  MutexLock lock(mu_);
  if (stopped_ || thread_.joinable() || scenario_.steps.empty()) return;
  thread_ = std::jthread([this](const std::stop_token& token) { play(token); });
}

void ScenarioPlayer::stop() {
  std::jthread thread;
  {
    MutexLock lock(mu_);
    stopped_ = true;
    thread = std::move(thread_);
  }
  // Stopped and joined here, without the lock: on_end may be about to call anything.
}

/// Begins on a full second of the wall clock: creation times are whole seconds, and so the ages of
/// what the scenario creates are those that it means.
void ScenarioPlayer::play(const std::stop_token& stop) {
  const auto wall = clock_.wall();
  const auto begin = clock_.now() + (std::chrono::ceil<std::chrono::seconds>(wall) - wall);
  for (const ScenarioStep& step : scenario_.steps) {
    const auto after = std::chrono::duration<double, std::milli>(step.at) / speed_;
    const auto at = begin + std::chrono::duration_cast<Clock::Duration>(after);
    if (!wait_for(at, stop)) return;
    play_step(step);
  }
  if (on_end_) on_end_();
}

bool ScenarioPlayer::wait_for(Clock::Mono time, const std::stop_token& stop) {
  Mutex mu;
  CondVar woken_by_the_clock;
  MutexLock lock(mu);
  while (!stop.stop_requested()) {
    if (clock_.now() >= time) return true;
    clock_.wait_until(woken_by_the_clock, mu, time, stop);
  }
  return false;
}

void ScenarioPlayer::play_step(const ScenarioStep& step) {
  const Json object = with_times(step.object, clock_.wall());
  const ApiTypePtr type =
      types_.find_kind(text(field(object, "apiVersion")), text(field(object, "kind")));
  if (type == nullptr) return;
  const ObjectKey key{text(field(object, "metadata", "namespace")),
                      text(field(object, "metadata", "name"))};
  // What a user did to the sandbox meanwhile may be in the way of a step: then it is left out.
  std::optional<ApiStatus> problem;
  const auto note = [&](const auto& answer) {
    if (!answer) problem = answer.error();
  };
  switch (step.action) {
    case StepAction::apply:
      note(objects_.load(object));
      break;
    case StepAction::patch:
      note(objects_.modify(
          *type, key, Part::everything,
          [&](const Json& current) -> Answer<Json> {
            Json result = current;
            apply_strategic_patch(result, object);
            return result;
          },
          false));
      break;
    case StepAction::remove:
      note(objects_.remove(*type, key, {}));
      break;
    case StepAction::erase:
      objects_.erase(*type, key);
      break;
  }
  if (problem) log::verbose(2, "sandbox: step left out: {}", problem->message);
}

}  // namespace kinf::sandbox
