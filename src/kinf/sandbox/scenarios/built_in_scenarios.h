// SPDX-License-Identifier: Apache-2.0
// The scenarios that come with kinf, one file each.
#pragma once

#include <cstdint>

#include "kinf/sandbox/scenarios/scenario.h"

namespace kinf::sandbox {

/// Someone runs a pod to look at the network, and deletes it after some seconds.
Scenario nettool_scenario();

/// A Deployment of three goes from one image to the next, a pod at a time.
Scenario rollout_scenario();

/// A pod that ends with an error each time it is started, and is waited with longer and longer.
Scenario crashloop_scenario();

struct ChurnSettings {
  std::uint64_t objects = 100;
  double rate = 10;  ///< changes a second, at speed 1
  std::uint64_t seed = 1;
  std::uint64_t changes = 0;  ///< after so many it ends; 0: never
};
/// Pods that change, come and go by chance. The seed decides all of it.
Scenario churn_scenario(const ChurnSettings& settings);

}  // namespace kinf::sandbox
