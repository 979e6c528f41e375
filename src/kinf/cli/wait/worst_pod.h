// SPDX-License-Identifier: Apache-2.0
// WorstPod: which of the pods of a workload keeps it from being ready, and why. Pure functions.
// Threads: any.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"

namespace kinf {

struct WorstPod {
  ObjectPtr pod{};         ///< null if all pods are well
  std::string status{};    ///< its cell STATUS, such as `ImagePullBackOff`
  std::size_t unwell = 0;  ///< the number of pods that are not well
  std::size_t all = 0;     ///< the number of pods that are owned
};

/// Returns the label selector of a workload that owns pods, in the form of `-l`; empty for other
/// kinds and for selectors that select everything.
std::string pod_selector(std::string_view kind, const nlohmann::json& workload);

/// Returns the uids of the objects in `items` whose controller has one of `uids`.
std::set<std::string> controlled_by(const nlohmann::json& items, const std::set<std::string>& uids);

/// Returns the worst of the pods in `items` whose controller has one of `uids`: one with a cell
/// that `get` prints in red, then one that does not run, then one that is not ready.
WorstPod worst_pod(const nlohmann::json& items, const std::set<std::string>& uids, Clock::Wall now);

}  // namespace kinf
