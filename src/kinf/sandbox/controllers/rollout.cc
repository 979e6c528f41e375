// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/rollout.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kinf/base/ascii.h"

namespace kinf::sandbox {
namespace {

std::int64_t sum(const std::vector<SetCount>& sets, std::int64_t SetCount::* member) {
  return std::accumulate(
      sets.begin(), sets.end(), std::int64_t{0},
      [&](std::int64_t total, const SetCount& set) { return total + set.*member; });
}

}  // namespace

std::int64_t share_of(const Json& value, std::int64_t total, bool up) {
  if (value.is_number_integer()) return std::max<std::int64_t>(0, value.get<std::int64_t>());
  const std::string text = sandbox::text(value);
  if (!text.ends_with('%')) return 0;
  const auto percent = parse_number<std::int64_t>(text.substr(0, text.size() - 1)).value_or(0);
  const std::int64_t share = total * std::clamp<std::int64_t>(percent, 0, 1000);
  return (share + (up ? 99 : 0)) / 100;
}

RolloutLimits rollout_limits(const Json& deployment, std::int64_t replicas) {
  const Json& strategy = field(deployment, "spec", "strategy");
  if (text(field(strategy, "type")) == "Recreate") return {0, 0};
  const Json& rolling = field(strategy, "rollingUpdate");
  RolloutLimits limits{share_of(field(rolling, "maxSurge"), replicas, true),
                       share_of(field(rolling, "maxUnavailable"), replicas, false)};
  if (limits.surge == 0 && limits.unavailable == 0) limits.unavailable = 1;
  limits.unavailable = std::min(limits.unavailable, replicas);
  return limits;
}

std::int64_t new_set_size(std::int64_t replicas, const RolloutLimits& limits, const SetCount& fresh,
                          const std::vector<SetCount>& old) {
  if (fresh.wanted >= replicas) return replicas;
  const std::int64_t total = fresh.wanted + sum(old, &SetCount::wanted);
  const std::int64_t room = replicas + limits.surge - total;
  return fresh.wanted + std::clamp<std::int64_t>(room, 0, replicas - fresh.wanted);
}

std::vector<std::int64_t> old_set_sizes(std::int64_t replicas, const RolloutLimits& limits,
                                        const SetCount& fresh, const std::vector<SetCount>& old) {
  std::vector<std::int64_t> sizes;
  for (const SetCount& set : old) sizes.push_back(set.wanted);
  const std::int64_t least = replicas - limits.unavailable;
  const std::int64_t total = fresh.wanted + sum(old, &SetCount::wanted);
  const std::int64_t missing = std::max<std::int64_t>(0, fresh.wanted - fresh.available);
  std::int64_t may_go = total - least - missing;
  if (may_go <= 0) return sizes;
  // First remove pods that are not available, then as many available pods as the limit permits.
  std::int64_t available = fresh.available + sum(old, &SetCount::available);
  for (std::size_t i = 0; i < old.size() && may_go > 0; ++i) {
    const std::int64_t unhealthy = std::clamp<std::int64_t>(sizes[i] - old[i].available, 0, may_go);
    sizes[i] -= unhealthy;
    may_go -= unhealthy;
  }
  for (std::size_t i = 0; i < old.size() && available > least; ++i) {
    const std::int64_t goes = std::min(sizes[i], available - least);
    sizes[i] -= goes;
    available -= goes;
  }
  return sizes;
}

std::vector<std::int64_t> scaled_in_proportion(const std::vector<std::int64_t>& sizes,
                                               std::int64_t total) {
  const std::int64_t before = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  std::vector<std::int64_t> result(sizes.size(), 0);
  if (sizes.empty()) return result;
  std::int64_t left = total;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    result[i] = before == 0 ? 0 : sizes[i] * total / before;
    left -= result[i];
  }
  result.back() = left;
  return result;
}

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
