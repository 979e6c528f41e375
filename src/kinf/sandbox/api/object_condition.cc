// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/object_condition.h"

#include <algorithm>
#include <utility>

namespace kinf::sandbox {

const Json& condition_of(const Json& object, std::string_view type) {
  static const Json none;
  for (const Json& each : elements(field(object, "status", "conditions"))) {
    if (text(field(each, "type")) == type) return each;
  }
  return none;
}

Json* find_condition(Json& conditions, std::string_view type) {
  const auto found = std::ranges::find_if(
      conditions, [&](const Json& each) { return text(field(each, "type")) == type; });
  return found == conditions.end() ? nullptr : &*found;
}

void put_condition(Json& conditions, Json condition) {
  Json* const old = find_condition(conditions, text(condition["type"]));
  if (old == nullptr) return conditions.push_back(std::move(condition));
  if (field(*old, "status") == condition["status"]) {
    condition["lastTransitionTime"] = field(*old, "lastTransitionTime");
  }
  *old = std::move(condition);
}

bool holds(const Json& object, std::string_view type) {
  return field(condition_of(object, type), "status") == Json("True");
}

void set_condition(Json& status, std::string_view type, const ConditionState& state,
                   const std::string& now) {
  Json condition = {{"type", std::string(type)}, {"status", state.status}};
  condition["lastTransitionTime"] = now;
  if (!state.reason.empty()) condition["reason"] = state.reason;
  if (!state.message.empty()) condition["message"] = state.message;
  put_condition(array_at(status, "conditions"), std::move(condition));
}

void bind_pod(Json& pod, const std::string& node, const std::string& now) {
  object_at(pod, "spec")["nodeName"] = node;
  set_condition(object_at(pod, "status"), "PodScheduled", {"True"}, now);
}

}  // namespace kinf::sandbox
