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

void set_condition(Json& status, std::string_view type, const ConditionState& state,
                   const std::string& now) {
  Json condition = {{"type", std::string(type)}, {"status", state.status}};
  condition["lastTransitionTime"] = now;
  if (!state.reason.empty()) condition["reason"] = state.reason;
  if (!state.message.empty()) condition["message"] = state.message;
  Json& conditions = status["conditions"];
  if (!conditions.is_array()) conditions = Json::array();
  const auto old = std::ranges::find_if(
      conditions, [&](const Json& each) { return text(field(each, "type")) == type; });
  if (old == conditions.end()) {
    conditions.push_back(std::move(condition));
    return;
  }
  if (field(*old, "status") == field(condition, "status")) {
    condition["lastTransitionTime"] = field(*old, "lastTransitionTime");
  }
  *old = std::move(condition);
}

void bind_pod(Json& pod, const std::string& node, const std::string& now) {
  object_at(pod, "spec")["nodeName"] = node;
  set_condition(object_at(pod, "status"), "PodScheduled", {"True"}, now);
}

}  // namespace kinf::sandbox
