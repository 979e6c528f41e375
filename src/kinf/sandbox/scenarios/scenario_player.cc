// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/scenarios/scenario_player.h"

#include <fmt/format.h>

#include <system_error>

#include "kinf/base/log.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/api/patch.h"
#include "kinf/sandbox/scenarios/manifests.h"

namespace kinf::sandbox {

ScenarioPlayer::ScenarioPlayer(ObjectService& objects, const ApiTypes& types, Clock& clock,
                               Scenario scenario, double speed, Hooks hooks)
    : objects_(objects),
      types_(types),
      clock_(clock),
      scenario_(std::move(scenario)),
      speed_(speed),
      hooks_(std::move(hooks)) {}

ScenarioPlayer::~ScenarioPlayer() { stop(); }

Result<void> ScenarioPlayer::load_initial(const std::string& name, bool keep) {
  std::vector<Manifest> manifests;
  for (const Json& object : scenario_.initial) {
    manifests.push_back({resolve_times(object, clock_.wall()),
                         fmt::format("{}: object {}", name, manifests.size() + 1)});
  }
  const Result<void> loaded = load_manifests(std::move(manifests), keep, objects_, types_);
  if (loaded) adopt_initial();
  return loaded;
}

void ScenarioPlayer::adopt_initial() {
  for (const Json& object : scenario_.initial) {
    const ApiTypePtr type = types_.find_for(object);
    if (type == nullptr) continue;
    const ObjectKey key{namespace_of(*type, object), name_of(object)};
    const ApiResult<StoredPtr> stored = objects_.get(*type, key);
    if (stored) drive(*type, key, text(field((*stored)->json, "metadata", "uid")));
  }
}

bool ScenarioPlayer::drives(const std::string& type, const ObjectKey& key,
                            const std::string& uid) const {
  MutexLock lock(mu_);
  const auto found = driven_.find({type, key});
  return found != driven_.end() && (found->second.empty() || found->second == uid);
}

void ScenarioPlayer::drive(const ApiType& type, const ObjectKey& key, std::string uid) {
  MutexLock lock(mu_);
  driven_[{type.storage_key(), key}] = std::move(uid);
}

void ScenarioPlayer::release(const ApiType& type, const ObjectKey& key) {
  MutexLock lock(mu_);
  driven_.erase({type.storage_key(), key});
}

bool ScenarioPlayer::removes(const std::string& type, const ObjectKey& key) const {
  MutexLock lock(mu_);
  return removing_.contains({type, key});
}

void ScenarioPlayer::set_removing(const ApiType& type, const ObjectKey& key, bool removing) {
  MutexLock lock(mu_);
  const std::pair id(type.storage_key(), key);
  removing ? (void)removing_.insert(id) : (void)removing_.erase(id);
}

void ScenarioPlayer::start() {
  MutexLock lock(mu_);
  const bool is_empty = scenario_.steps.empty() && !scenario_.generate;
  if (stopped_ || thread_.joinable() || is_empty) return;
  try {
    thread_ = std::jthread([this](const std::stop_token& token) { play(token); });
  } catch (const std::system_error& error) {
    log::warning("scenario: cannot start a thread: {}",
                 error.what());  // the next watch calls start() again
  }
}

void ScenarioPlayer::stop() {
  std::jthread thread;
  {
    MutexLock lock(mu_);
    stopped_ = true;
    thread = std::move(thread_);
  }
  // `thread` stops and joins here, without the lock, because a hook may call any function.
}

/// Plays all steps. Starts at a full second of the wall clock, because creation times have whole
/// seconds. Otherwise the printed ages could differ from the ages that the scenario intends.
void ScenarioPlayer::play(const std::stop_token& stop) {
  const auto wall = clock_.wall();
  const auto begin = clock_.now() + (std::chrono::ceil<std::chrono::seconds>(wall) - wall);
  for (const ScenarioStep& step : scenario_.steps) {
    if (!play_at(begin, step, stop)) return;
  }
  while (scenario_.generate) {
    const std::optional<ScenarioStep> step = scenario_.generate();
    if (!step) break;
    if (!play_at(begin, *step, stop)) return;
  }
  if (hooks_.on_end) hooks_.on_end();
}

bool ScenarioPlayer::play_at(Clock::Mono begin, const ScenarioStep& step,
                             const std::stop_token& stop) {
  const auto after = std::chrono::duration<double, std::milli>(step.at) / speed_;
  const auto at = begin + std::chrono::duration_cast<Clock::Duration>(after);
  if (!sleep_until(clock_, at, stop)) return false;
  play_step(step);
  return true;
}

/// Plays one step. Ignores a step that fails, because a user may have changed the objects.
void ScenarioPlayer::play_step(const ScenarioStep& step) {
  if (step.action == StepAction::fault) {
    if (hooks_.on_fault) hooks_.on_fault(step.fault);
    return;
  }
  Json object = resolve_times(step.object, clock_.wall());
  const ApiTypePtr type = types_.find_for(object);
  if (type == nullptr) {
    log::warning("scenario: skipping a step: unknown kind {} in {}", text(field(object, "kind")),
                 text(field(object, "apiVersion")));
    return;
  }
  if (const auto problem = play_on(*type, step, object)) {
    log::verbose(2, "scenario: skipping a step: {}", problem->message);
  }
}

std::optional<ApiStatus> ScenarioPlayer::play_on(const ApiType& type, const ScenarioStep& step,
                                                 const Json& object) {
  const ObjectKey key{namespace_of(type, object), name_of(object)};
  const auto problem_of = [](const auto& answer) -> std::optional<ApiStatus> {
    return answer ? std::nullopt : std::optional(answer.error());
  };
  switch (step.action) {
    case StepAction::apply: {
      if (!key.ns.empty()) ensure_namespace(objects_, types_, key.ns);
      drive(type, key, "");  // before load(), because controllers may see the object at once
      ApiResult<StoredPtr> stored = objects_.load(object);
      if (!stored && stored.error().code == 409) stored = merge(type, key, object);
      if (stored) {
        drive(type, key, text(field((*stored)->json, "metadata", "uid")));
      } else {
        release(type, key);
      }
      return problem_of(stored);
    }
    case StepAction::patch: return problem_of(merge(type, key, object));
    case StepAction::delete_gracefully: return problem_of(delete_gracefully(type, key));
    case StepAction::end_grace: return problem_of(objects_.end_grace(type, key));
    case StepAction::finish_deletion: return finish_deletion(type, key);
    case StepAction::force_delete:
      objects_.erase(type, key);
      release(type, key);
      return std::nullopt;
    case StepAction::fault: break;
  }
  return std::nullopt;
}

/// Deletes an object as a client does. A pod on a node then exists until a later step of the
/// scenario removes it.
ApiResult<Deletion> ScenarioPlayer::delete_gracefully(const ApiType& type, const ObjectKey& key) {
  const bool ends_later = type.has(TypeTrait::runs_on_node);
  if (ends_later) set_removing(type, key, true);  // before controllers see the deletion
  ApiResult<Deletion> deleted = objects_.remove(type, key, {});
  if (!deleted) set_removing(type, key, false);
  return deleted;
}

std::optional<ApiStatus> ScenarioPlayer::finish_deletion(const ApiType& type,
                                                         const ObjectKey& key) {
  set_removing(type, key, false);
  const ApiResult<StoredPtr> stored = objects_.get(type, key);
  if (!stored) return stored.error();
  if (!is_deleting((*stored)->json)) return std::nullopt;
  if (has_finalizers((*stored)->json)) {
    // The pod exists until its finalizers are removed.
    const ApiResult<Deletion> ended = objects_.end_grace(type, key);
    return ended ? std::nullopt : std::optional(ended.error());
  }
  objects_.erase(type, key);
  release(type, key);
  return std::nullopt;
}

/// Merges `object` into the stored object: as a JSON merge patch for custom types, as a strategic
/// merge patch for built-in types.
ApiResult<StoredPtr> ScenarioPlayer::merge(const ApiType& type, const ObjectKey& key,
                                           const Json& object) {
  const auto edit = [&](const Json& current) -> ApiResult<Json> {
    Json result = current;
    type.custom ? apply_merge_patch(result, object) : apply_strategic_patch(result, object);
    return result;
  };
  return objects_.modify(type, key, Part::everything, edit, false);
}

}  // namespace kinf::sandbox
