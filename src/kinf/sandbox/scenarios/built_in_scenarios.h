// SPDX-License-Identifier: Apache-2.0
// The built-in scenarios. Each has its own file.
#pragma once

#include <cstdint>

#include "kinf/sandbox/scenarios/scenario.h"

namespace kinf::sandbox {

/// A user runs a pod and deletes it after a few seconds.
Scenario nettool_scenario();

/// A Deployment with three replicas rolls out a new image, one pod at a time.
Scenario rollout_scenario();

/// A pod fails after each start, and its back-off increases.
Scenario crashloop_scenario();

struct ChurnSettings {
  std::uint64_t objects = 100;  ///< number of pod names; usually not all of the pods exist
  double rate = 10;             ///< changes per second at speed 1
  std::uint64_t seed = 1;
  std::uint64_t changes = 0;  ///< number of changes after which the scenario ends; 0: it never ends
};
/// Pods change, appear and disappear at random. The seed determines all steps.
Scenario churn_scenario(const ChurnSettings& settings);

}  // namespace kinf::sandbox
