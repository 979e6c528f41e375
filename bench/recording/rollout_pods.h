// SPDX-License-Identifier: Apache-2.0
// The versions of pods in a rolling update, as the scheduler and the kubelet write them.
#pragma once

#include <cstddef>
#include <vector>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"

namespace kinf::bench {

/// Returns the type of the pods.
ResourceType pods_type();

/// Returns the version of pod `number` at `stage` (0 to kLastStage) of its life. Its document has
/// about 7 KB, without managedFields. `restarts` counts those of its container.
ObjectPtr rollout_pod(std::size_t number, std::size_t stage, std::size_t version,
                      std::size_t restarts = 0);

inline constexpr std::size_t kReadyStage = 4;
inline constexpr std::size_t kLastStage = 6;

/// Returns the changes of a rollout that replaces `count` pods: `count` additions, then for each
/// pair of pods the updates in the order in which a cluster makes them, and the deletions of the
/// old pods. Without `updates`, only the additions and deletions.
std::vector<Change> rollout(std::size_t count, bool updates);

}  // namespace kinf::bench
