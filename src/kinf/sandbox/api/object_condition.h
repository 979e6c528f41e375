// SPDX-License-Identifier: Apache-2.0
// Conditions in the status of objects, and the binding of a pod, which sets a condition.
#pragma once

#include <string>
#include <string_view>

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

struct ConditionState {
  std::string status;  ///< `True`, `False` or `Unknown`
  std::string reason = {};
  std::string message = {};
};

/// Returns the condition of this type, or null.
const Json& condition_of(const Json& object, std::string_view type);
/// Returns whether the condition of this type has the status True.
bool holds(const Json& object, std::string_view type);

/// Returns the condition of this type in a list of conditions, or null.
Json* find_condition(Json& conditions, std::string_view type);
/// Adds a condition, or replaces the condition of the same type. Keeps the old transition time if
/// the status of the condition has not changed.
void put_condition(Json& conditions, Json condition);
/// Adds or replaces the condition `type` in `status`. The transition time changes only with the
/// status of the condition. `now` is an RFC 3339 timestamp.
void set_condition(Json& status, std::string_view type, const ConditionState& state,
                   const std::string& now);

/// Assigns the pod to a node, as the subresource `binding` does.
void bind_pod(Json& pod, const std::string& node, const std::string& now);

}  // namespace kinf::sandbox
