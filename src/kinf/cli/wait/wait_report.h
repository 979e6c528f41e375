// SPDX-License-Identifier: Apache-2.0
// Describes why an object does not meet a condition of `kinf wait`, or met one of --fail-on, and
// prints the objects that satisfy the goal, as kubectl does. The functions that return texts are
// pure. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/cli/wait/wait_tracker.h"

namespace kinf {

struct Session;
struct WaitCommand;
struct WatchPlan;

/// What is known about the moments at which objects met the goal.
enum class Moments {
  none,      ///< not to be printed: objects of a server
  versions,  ///< only their resourceVersions: a stream of JSON without times
  times,     ///< times and resourceVersions
};

/// Returns the part of the state of an object that a condition checks:
/// `condition Ready=False (ContainersNotReady: containers with unready status: [main])`,
/// `.status.phase is Pending`. Shows no values of Secrets.
std::string condition_state(const Condition& condition, const AwaitedObject& object);

/// Describes the last state of an object that does not satisfy the goal: `never existed in
/// namespace shop`, `deleted 3s ago`, or condition_state() of each condition that is not met.
std::string last_state(const WaitGoal& goal, const AwaitedObject& object, Clock::Wall now);

/// Returns likely reasons why `object` does not satisfy the goal, one per line: the states of
/// containers that are not ready, and the conditions of the status that are not true. Leaves out
/// the conditions that `goal` names.
std::vector<std::string> reasons(const WaitGoal& goal, const Object& object);

/// Returns an error for types that have no rollout, if the goal awaits one, or a revision of a type
/// other than Deployments.
Result<void> check_rollouts(const WaitGoal& goal, const WatchPlan& plan);
/// Returns a line about the Deployments that met `condition=Available` while their rollouts go on:
/// the pods of their last revision make them available. Empty if there are none.
std::string rollout_note(const WaitTracker& tracker);
/// Returns the line that a terminal shows during the wait: what the first object that does not
/// satisfy the goal lacks. Empty if there is none.
std::string progress_text(const WaitTracker& tracker, Clock::Duration waited, Clock::Wall now);

/// Returns `pods/web-1`, as kubectl names objects in errors.
std::string resource_name(const AwaitedObject& object);
/// Returns `job/migrate`.
std::string kind_name(const AwaitedObject& object);

/// Returns the output for objects that met conditions: one line `pod/web-1 condition met`, or one
/// text of -o, per object and condition; with --any, one per object. A line also has the moment.
/// Leaves out objects that never existed. Errors: those of evaluating the JSONPath.
Result<std::string> met_text(const WaitTracker& tracker, const WaitCommand& command,
                             Moments moments);

/// Logs the moments at which the objects met the goal, because the output of -o does not have them.
void log_moments(const WaitTracker& tracker, Moments moments);

/// Writes `error` to stderr with the name of its cluster, followed by `lines`, indented.
void report_lines(const std::string& cluster, const std::string& error,
                  const std::vector<std::string>& lines);

/// Returns which of the pods of a failed workload is worst, and why. Blocks on requests, for a
/// second or two. Empty if the server does not say.
std::vector<std::string> pod_reasons(const AwaitedObject& object, Session& session);

/// Reports why a wait timed out: writes an error for each object that does not satisfy the goal, at
/// most 10, or a general error, for example if initial lists are incomplete. `sessions`: by the
/// rank of the cluster; null for those that were not opened. `is_once`: the conditions were checked
/// only once. Blocks on requests, for a second or two.
void report_timeout(const WaitTracker& tracker, const std::vector<Session*>& sessions, bool is_once,
                    Clock& clock);

}  // namespace kinf
