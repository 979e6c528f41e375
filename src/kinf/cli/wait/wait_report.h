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

/// Returns what a condition compares in an object: `condition Ready=False (ContainersNotReady:
/// containers with unready status: [main])`, `.status.phase is Pending`. Shows no values of
/// Secrets.
std::string condition_state(const Condition& condition, const AwaitedObject& object);

/// Describes the last state of an object that does not satisfy the goal: `never existed in
/// namespace shop`, `deleted 3s ago`, or condition_state() of each condition that is not met.
std::string last_state(const WaitGoal& goal, const AwaitedObject& object, Clock::Wall now);

/// Returns further reasons, one per line: the states of containers that are not ready, and the
/// conditions of the status that are not true. Leaves out the conditions that `goal` names.
std::vector<std::string> reasons(const WaitGoal& goal, const Object& object);

/// Returns `pods/web-1`, as kubectl names objects in errors.
std::string resource_name(const AwaitedObject& object);
/// Returns `job/migrate`.
std::string kind_name(const AwaitedObject& object);

/// Returns a line `pod/web-1 condition met`, or the text of -o, for each object and each condition
/// that it met; with --any once for each object. Leaves out objects that never existed. Errors:
/// those of evaluating the JSONPath.
Result<std::string> met_text(const WaitTracker& tracker, const WaitCommand& command);

/// Writes an error to stderr, naming its cluster, and indented lines after it.
void report_lines(const std::string& cluster, const std::string& error,
                  const std::vector<std::string>& lines);

/// Reports why a wait timed out: writes one error for each object that does not satisfy the goal,
/// or one error for all of them. `sessions`: by the rank of the cluster; null for those that were
/// not opened. `is_once`: the conditions were checked only once. Blocks on requests, for a second
/// or two.
void report_timeout(const WaitTracker& tracker, const std::vector<Session*>& sessions, bool is_once,
                    Clock& clock);

}  // namespace kinf
