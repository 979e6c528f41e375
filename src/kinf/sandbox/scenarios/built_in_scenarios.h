// SPDX-License-Identifier: Apache-2.0
// The built-in scenarios, one file each.
#pragma once

#include <cstdint>

#include "kinf/sandbox/scenarios/scenario.h"

namespace kinf::sandbox {

/// A user runs a pod and deletes it after some seconds.
Scenario nettool_scenario();

/// A Deployment with three replicas rolls out a new image, one pod at a time.
Scenario rollout_scenario();

/// A pod fails each time it starts, and the back-off gets longer.
Scenario crashloop_scenario();

struct ChurnSettings {
  std::uint64_t objects = 100;
  double rate = 10;  ///< changes a second, at speed 1
  std::uint64_t seed = 1;
  std::uint64_t changes = 0;  ///< ends after this many changes; 0: never
};
/// Pods change, appear and disappear at random, determined by the seed.
Scenario churn_scenario(const ChurnSettings& settings);

}  // namespace kinf::sandbox
