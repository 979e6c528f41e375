// SPDX-License-Identifier: Apache-2.0
// The rolling update of a Deployment, as pure functions: the replica counts, and the conditions in
// the status.
// Source: kubernetes pkg/controller/deployment (rolling.go, progress.go, sync.go,
// util/deployment_util.go).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Returns `value` if it is a number. If `value` is a percentage, returns that share of `total`,
/// rounded up if `up` is true, otherwise down.
std::int64_t share_of(const Json& value, std::int64_t total, bool up);

/// The limits of a Deployment's strategy, in pods.
struct RolloutLimits {
  std::int64_t surge = 0;
  std::int64_t unavailable = 0;
};
/// Returns the limits for `replicas` pods. Percentages are rounded up for the surge, and down for
/// the pods that may be unavailable. Both limits are 0 for the strategy Recreate.
RolloutLimits rollout_limits(const Json& deployment, std::int64_t replicas);

/// The replica counts of one ReplicaSet.
struct SetCount {
  std::int64_t wanted = 0;     ///< spec.replicas
  std::int64_t available = 0;  ///< status.availableReplicas
};

/// Returns the number of replicas that the new ReplicaSet should have.
std::int64_t new_set_size(std::int64_t replicas, const RolloutLimits& limits, const SetCount& fresh,
                          const std::vector<SetCount>& old);
/// Returns the number of replicas that each old ReplicaSet should have, from the oldest to the
/// newest.
std::vector<std::int64_t> old_set_sizes(std::int64_t replicas, const RolloutLimits& limits,
                                        const SetCount& fresh, const std::vector<SetCount>& old);
/// Distributes the new `total` over ReplicaSets in proportion to their `sizes`. The last set gets
/// the rest that rounding leaves.
std::vector<std::int64_t> scaled_in_proportion(const std::vector<std::int64_t>& sizes,
                                               std::int64_t total);

/// Sets a condition and moves it to the end of the list. Does nothing if its status and reason are
/// already the same, unless `renew` is true.
void set_rollout_condition(Json& status, const char* type, const ConditionState& state,
                           const std::string& now, bool renew = false);

/// Returns whether `status` has more updated, ready or available pods than the `old` status, or
/// fewer pods of old templates.
bool has_progressed(const Json& old, const Json& status);

/// Sets the reason of the condition Progressing when a Deployment is paused or resumed.
void note_paused(Json& status, bool is_paused, const std::string& now);

}  // namespace kinf::sandbox
