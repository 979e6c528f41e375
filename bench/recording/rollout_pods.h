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

/// A version of a pod. Its document has about 7 KB, without managedFields.
struct RolloutPod {
  std::size_t number = 0;
  std::size_t stage = 0;  ///< of its life, 0 to kLastStage
  std::size_t version = 0;
  std::size_t restarts = 0;    ///< of its first container
  std::size_t containers = 2;  ///< 1 to 3
};
ObjectPtr rollout_pod(const RolloutPod& pod);

inline constexpr std::size_t kReadyStage = 4;
inline constexpr std::size_t kLastStage = 6;

/// Returns the changes of a rollout that replaces `count` pods: `count` additions, then for each
/// pair of pods the updates in the order in which a cluster makes them, and the deletions of the
/// old pods. Without `updates`, only the additions and deletions. See RolloutPod::containers.
std::vector<Change> rollout(std::size_t count, bool updates, std::size_t containers);

}  // namespace kinf::bench
