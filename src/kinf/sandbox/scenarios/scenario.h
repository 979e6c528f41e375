// SPDX-License-Identifier: Apache-2.0
// Scenario: initial objects, and the timed steps that a sandbox plays.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/sandbox/faults/fault_spec.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

enum class StepAction {
  apply,              ///< create the object, or merge into it if it exists
  patch,              ///< merge into the object and its status; skip the step if it does not exist
  delete_gracefully,  ///< delete as a client does; a pod on a node stays until finish_deletion
  end_grace,          ///< set the grace period of a deleted pod to 0; the pod stays
  finish_deletion,    ///< remove an object that is being deleted and has no finalizers
  force_delete,       ///< remove an object immediately, ignoring its finalizers
  fault,              ///< inject a fault
};

struct ScenarioStep {
  std::chrono::milliseconds at{};  ///< time from the start of the scenario, at speed 1
  StepAction action = StepAction::apply;
  /// The object of the step. For a patch: apiVersion, kind, name and namespace, and the members to
  /// merge. For a deletion: only apiVersion, kind, name and namespace. Strings such as `$now` and
  /// `$now-3600` become timestamps: the time at which the step is played, plus or minus a number of
  /// seconds.
  Json object;
  FaultSpec fault = {};  ///< used by StepAction::fault
};

struct Scenario {
  std::vector<Json> initial;        ///< objects that exist before the first step
  std::vector<ScenarioStep> steps;  ///< sorted by time
  /// Generates the steps that follow `steps`. Each call returns the next step, or nullopt after the
  /// last step. May be empty.
  std::function<std::optional<ScenarioStep>()> generate;
};

/// Returns the built-in scenario of this name, such as `rollout` or `churn:objects=1000:rate=50`.
/// Otherwise reads the scenario file of this name if the name contains a slash or ends in .yaml,
/// .yml or .json, or if the file exists. Fails with a usage error if the scenario is unknown or
/// invalid.
Result<Scenario> find_scenario(const std::string& name);
std::vector<std::string> scenario_names();

/// Replaces each `$now` time in `object` with a timestamp relative to `now`.
Json resolve_times(Json object, Clock::Wall now);
/// Returns whether `text` is `$now`, `$now-SECONDS` or `$now+SECONDS`. A scenario must not contain
/// other strings that begin with `$now`.
bool is_relative_time(std::string_view text);

}  // namespace kinf::sandbox
