// SPDX-License-Identifier: Apache-2.0
// Scenario: a story that a sandbox plays: what is there at first, and what happens when.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/sandbox/json.h"

namespace kinf::sandbox {

enum class StepAction {
  apply,   ///< create the object; left out if there is one of its name
  patch,   ///< merge into the object, its status included
  remove,  ///< delete it as a client does: a pod on a node is marked and stays
  erase,   ///< take it away: what its node does when it has ended
};

struct ScenarioStep {
  std::chrono::milliseconds at{};  ///< from the start, at speed 1
  StepAction action = StepAction::apply;
  /// The object, or of it apiVersion, kind, name and namespace, with what a patch merges. Strings
  /// that begin with `$now` are times: `$now-3600` is an hour before the step is played.
  Json object;
};

struct Scenario {
  std::vector<Json> initial;
  std::vector<ScenarioStep> steps;  ///< in the order of their times
};

/// `quiet`, where nothing happens, or `nettool`; empty for other names.
std::optional<Scenario> find_scenario(std::string_view name);
std::vector<std::string> scenario_names();

/// `object` with its `$now` times filled in.
Json with_times(Json object, Clock::Wall now);

}  // namespace kinf::sandbox
