// SPDX-License-Identifier: Apache-2.0
// Completes a command line. A pure function of the words and a CompletionWorld.
#pragma once

#include "kinf/cli/completion/candidate_list.h"
#include "kinf/cli/completion/completion_world.h"
#include "kinf/cli/flags/typed_line.h"

namespace kinf {

/// Returns what can replace the last word of `line`. Blocks on `world`.
Completion complete(const TypedLine& line, CompletionWorld& world);

}  // namespace kinf
