// SPDX-License-Identifier: Apache-2.0
// The rolling update of a Deployment, as pure functions: the arithmetic, and the conditions in the
// status.
// Source: kubernetes pkg/controller/deployment (rolling.go, progress.go, sync.go,
// util/deployment_util.go).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Returns the absolute number in `value`, or its percentage of `total`.
std::int64_t share_of(const Json& value, std::int64_t total, bool up);

/// The limits of a Deployment's strategy, in pods.
struct RolloutLimits {
  std::int64_t surge = 0;
  std::int64_t unavailable = 0;
};
/// Returns the limits for `replicas` pods. Percentages are rounded up for the surge, and down for
/// the pods that may be unavailable. Recreate has no surge.
RolloutLimits rollout_limits(const Json& deployment, std::int64_t replicas);

/// One ReplicaSet of a Deployment.
struct SetCount {
  std::int64_t wanted = 0;     ///< spec.replicas
  std::int64_t available = 0;  ///< status.availableReplicas
};

/// Returns the number of replicas that the new set should have.
std::int64_t new_set_size(std::int64_t replicas, const RolloutLimits& limits, const SetCount& fresh,
                          const std::vector<SetCount>& old);
/// Returns the numbers of replicas that the old sets, from the oldest to the newest, should have.
std::vector<std::int64_t> old_set_sizes(std::int64_t replicas, const RolloutLimits& limits,
                                        const SetCount& fresh, const std::vector<SetCount>& old);
/// Distributes a new total over sets in proportion to their sizes. Rounding favours the last set.
std::vector<std::int64_t> scaled_in_proportion(const std::vector<std::int64_t>& sizes,
                                               std::int64_t total);

/// Sets a condition and moves it to the end of the list. Does nothing if its status and reason are
/// already the same, unless `renew` is true.
void set_rollout_condition(Json& status, const char* type, const ConditionState& state,
                           const std::string& now, bool renew = false);

/// Returns whether there are more new, ready or available pods than in the `old` status, or fewer
/// pods of old templates.
bool has_progressed(const Json& old, const Json& status);

/// Notes in the condition Progressing that a Deployment is paused, or resumed.
void note_paused(Json& status, bool is_paused, const std::string& now);

}  // namespace kinf::sandbox
