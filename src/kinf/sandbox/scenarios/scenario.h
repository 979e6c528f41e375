// SPDX-License-Identifier: Apache-2.0
// Scenario: a story that a sandbox plays: what is there at first, and what happens when.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/sandbox/faults/fault_spec.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

enum class StepAction {
  apply,              ///< create the object, or merge into the one of its name
  patch,              ///< merge into the object, its status included; left out if there is none
  delete_gracefully,  ///< delete it as a client does: a pod on a node is marked and stays
  finish_deletion,    ///< take away what is marked and not held: what a node does when a pod has
                      ///< ended
  force_delete,       ///< take it away at once, whatever holds it
  fault,              ///< let something go wrong from here on
};

struct ScenarioStep {
  std::chrono::milliseconds at{};  ///< from the start, at speed 1
  StepAction action = StepAction::apply;
  /// The object, or of it apiVersion, kind, name and namespace, with what a patch merges. Strings
  /// such as `$now` and `$now-3600` are times: an hour before the step is played.
  Json object;
  FaultSpec fault = {};  ///< of StepAction::fault
};

struct Scenario {
  std::vector<Json> initial;
  std::vector<ScenarioStep> steps;  ///< in the order of their times
  /// What comes behind the steps, one after the other and for ever; may be empty.
  std::function<ScenarioStep()> endless;
};

/// By name (`churn:objects=1000:rate=50` has settings), or from a file: what has a slash in it,
/// ends in .yaml, .yml or .json, or is there as a file. Usage errors.
Result<Scenario> find_scenario(const std::string& name);
std::vector<std::string> scenario_names();

/// `object` with its `$now` times filled in.
Json resolve_times(Json object, Clock::Wall now);
/// Whether `text` is a time as above. No other text may begin with `$now` in a scenario.
bool is_relative_time(std::string_view text);

}  // namespace kinf::sandbox
