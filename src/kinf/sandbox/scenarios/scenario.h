// SPDX-License-Identifier: Apache-2.0
// Scenario: initial objects, and steps with times that a sandbox plays.
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
  apply,              ///< create the object, or merge it into the existing one
  patch,              ///< merge into the object and its status; skipped if it does not exist
  delete_gracefully,  ///< delete as a client: a pod on a node stays until finish_deletion
  finish_deletion,    ///< remove an object that is being deleted and has no finalizers
  force_delete,       ///< remove it at once, despite finalizers
  fault,              ///< inject a fault
};

struct ScenarioStep {
  std::chrono::milliseconds at{};  ///< from the start, at speed 1
  StepAction action = StepAction::apply;
  /// The object; for patch and deletions apiVersion, kind, name, namespace and the members to
  /// merge. Strings such as `$now` and `$now-3600` are times relative to when the step is played,
  /// in seconds.
  Json object;
  FaultSpec fault = {};  ///< of StepAction::fault
};

struct Scenario {
  std::vector<Json> initial;
  std::vector<ScenarioStep> steps;  ///< sorted by time
  /// Generates further steps without end. May be empty.
  std::function<ScenarioStep()> endless;
};

/// Returns a built-in scenario (`churn:objects=1000:rate=50` has settings) or reads a file: a name
/// with a slash or the ending .yaml, .yml or .json, or an existing file. A usage error otherwise.
Result<Scenario> find_scenario(const std::string& name);
std::vector<std::string> scenario_names();

/// Replaces all `$now` times in `object`.
Json resolve_times(Json object, Clock::Wall now);
/// Whether `text` is `$now`, `$now-SECONDS` or `$now+SECONDS`. In a scenario no other text may
/// begin with `$now`.
bool is_relative_time(std::string_view text);

}  // namespace kinf::sandbox
