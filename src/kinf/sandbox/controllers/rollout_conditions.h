// SPDX-License-Identifier: Apache-2.0
// The conditions of Deployments, as pure functions of a status.
// Source: kubernetes pkg/controller/deployment (progress.go, sync.go, util/deployment_util.go).
#pragma once

#include <string>

#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Sets a condition. One that changes becomes the last. `renew`: it changes even if its status and
/// reason are the same.
void set_rollout_condition(Json& status, const char* type, const ConditionState& state,
                           const std::string& now, bool renew = false);

/// Returns true if there are more new, ready or available pods than in the `old` status, or fewer
/// pods of old templates.
bool has_progressed(const Json& old, const Json& status);

/// Notes in the condition Progressing that a Deployment is paused, or resumed.
void note_paused(Json& status, bool is_paused, const std::string& now);

}  // namespace kinf::sandbox
