// SPDX-License-Identifier: Apache-2.0
// Conditions in the status of objects, and the binding of a pod, which sets one.
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

/// Sets `conditions` of `status`. The transition time changes only with the status of the
/// condition. `now` is an RFC 3339 timestamp.
void set_condition(Json& status, std::string_view type, const ConditionState& state,
                   const std::string& now);

/// Assigns the pod to a node, as the subresource `binding` does.
void bind_pod(Json& pod, const std::string& node, const std::string& now);

}  // namespace kinf::sandbox
