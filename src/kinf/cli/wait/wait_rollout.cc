// SPDX-License-Identifier: Apache-2.0
// What `kinf wait` says about rollouts: refusals, the trap of condition=Available, and progress.
#include <fmt/format.h>

#include <algorithm>

#include "kinf/cli/selection/watch_plan.h"
#include "kinf/cli/wait/wait_report.h"
#include "kinf/columns/human_duration.h"
#include "kinf/kubernetes/rollout_status.h"
#include "kinf/query/jsonpath.h"

namespace kinf {
namespace {

Rollout awaited_rollout(const AwaitedObject& object) {
  Scratch scratch;
  return rollout_of(object.last->kind(), parse_document(object.last->json(scratch)));
}

/// Returns whether `object` is Available by the condition of its status that the goal awaits, while
/// its rollout goes on.
bool is_available_too_early(const WaitGoal& goal, const AwaitedObject& object) {
  const ResourceType& type = *object.source->type;
  if (!object.exists || !has_rollout(type.gvr.group, type.kind)) return false;
  const bool was_available = std::ranges::any_of(goal.conditions, [&](const Condition& condition) {
    if (condition.form() != Condition::Form::status) return false;
    const std::optional<StatusCondition> found = condition.status_of(*object.last);
    return found && found->type == "Available" && found->status == "True";
  });
  return was_available && awaited_rollout(object).phase == Rollout::Phase::under_way;
}

}  // namespace

Result<void> check_rollouts(const WaitGoal& goal, const WatchPlan& plan) {
  for (const Condition& condition : goal.conditions) {
    if (condition.form() != Condition::Form::rollout) continue;
    for (const auto& type : plan.types) {
      const std::string& resource = type->gvr.resource;
      if (!has_rollout(type->gvr.group, type->kind)) {
        return fail(ErrorKind::usage, "--for={}: {} have no rollout", condition.text(), resource)
            .with_hint(
                "Deployments, StatefulSets and DaemonSets have one; for others, see "
                "--for=condition=TYPE");
      }
      if (condition.has_revision() && type->kind != "Deployment") {
        return fail(ErrorKind::usage, "--for={}: {} do not number their revisions",
                    condition.text(), resource)
            .with_hint("--for=rollout waits for the newest one");
      }
    }
  }
  return {};
}

std::string rollout_note(const WaitTracker& tracker) {
  std::string note;
  std::size_t others = 0;
  for (const AwaitedObject& object : tracker.objects()) {
    if (!is_available_too_early(tracker.goal(), object)) continue;
    if (!note.empty()) {
      ++others;
    } else {
      note = fmt::format("{} is Available, but its rollout goes on: {}", kind_name(object),
                         awaited_rollout(object).text);
    }
  }
  if (note.empty()) return note;
  if (others > 0) note += fmt::format(" (and {} more)", others);
  return note + "; --for=rollout waits until it is complete";
}

std::string progress_text(const WaitTracker& tracker, Clock::Duration waited, Clock::Wall now) {
  std::vector<AwaitedObject> objects = tracker.objects();
  std::erase_if(objects, [](const AwaitedObject& object) { return object.is_satisfied; });
  if (objects.empty()) return {};
  const AwaitedObject& first = objects.front();
  const std::string more =
      objects.size() > 1 ? fmt::format(" (and {} more)", objects.size() - 1) : "";
  return fmt::format("waiting {} for {}: {}{}", human_duration(waited), kind_name(first),
                     last_state(tracker.goal(), first, now), more);
}

}  // namespace kinf
