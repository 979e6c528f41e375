// SPDX-License-Identifier: Apache-2.0
// Prints the objects that satisfy the goal of `kinf wait`, as kubectl does.
#pragma once

#include <string>

#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/wait/wait_tracker.h"

namespace kinf {

/// Returns a line `pod/web-1 condition met`, or the text of -o, for each object and each condition
/// that it met; with --any once for each object. Leaves out objects that never existed. Errors: of
/// the JSONPath. Threads: any.
Result<std::string> met_text(const WaitTracker& tracker, const WaitCommand& command);

}  // namespace kinf
