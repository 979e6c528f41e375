// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/rollout_conditions.h"

#include <utility>

namespace kinf::sandbox {

void set_rollout_condition(Json& status, const char* type, const ConditionState& state,
                           const std::string& now, bool renew) {
  std::string since = now;
  Json conditions = Json::array();
  const Json before = elements(field(status, "conditions"));
  for (const Json& each : before) {
    if (text(field(each, "type")) != type) {
      conditions.push_back(each);
      continue;
    }
    const bool is_same_status = field(each, "status") == Json(state.status);
    if (is_same_status && field(each, "reason") == Json(state.reason) && !renew) return;
    if (is_same_status) since = text(field(each, "lastTransitionTime"));
  }
  conditions.push_back({{"type", type},
                        {"status", state.status},
                        {"lastUpdateTime", now},
                        {"lastTransitionTime", since},
                        {"reason", state.reason},
                        {"message", state.message}});
  status["conditions"] = std::move(conditions);
}

bool has_progressed(const Json& old, const Json& status) {
  const auto grows = [&](const char* key) {
    return integer_or(field(status, key), 0) > integer_or(field(old, key), 0);
  };
  const auto outdated = [](const Json& each) {
    return integer_or(field(each, "replicas"), 0) - integer_or(field(each, "updatedReplicas"), 0);
  };
  return grows("updatedReplicas") || grows("readyReplicas") || grows("availableReplicas") ||
         outdated(status) < outdated(old);
}

void note_paused(Json& status, bool is_paused, const std::string& now) {
  const Json before = condition_of({{"status", status}}, "Progressing");
  const std::string reason = text(field(before, "reason"));
  if (reason == "ProgressDeadlineExceeded" || is_paused == (reason == "DeploymentPaused")) return;
  const ConditionState state =
      is_paused ? ConditionState{"Unknown", "DeploymentPaused", "Deployment is paused"}
                : ConditionState{"Unknown", "DeploymentResumed", "Deployment is resumed"};
  set_rollout_condition(status, "Progressing", state, now);
}

}  // namespace kinf::sandbox
