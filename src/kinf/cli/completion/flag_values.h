// SPDX-License-Identifier: Apache-2.0
// Completes the value of a flag.
#pragma once

#include "kinf/cli/completion/candidate_list.h"
#include "kinf/cli/completion/completion_world.h"
#include "kinf/cli/flags/typed_line.h"

namespace kinf {

/// Completes the last word of `line`, which is the value of `line.flag`.
Completion complete_flag_value(const TypedLine& line, CompletionWorld& world);

}  // namespace kinf
