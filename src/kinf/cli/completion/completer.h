// SPDX-License-Identifier: Apache-2.0
// Completes a command line. A pure function of the words and a CompletionWorld.
#pragma once

#include <string_view>

#include "kinf/cli/completion/candidate_list.h"
#include "kinf/cli/completion/completion_world.h"
#include "kinf/cli/flags/typed_line.h"

namespace kinf {

/// Returns what can replace the last word of `line`. Blocks on the requests of `world`.
Completion complete(const TypedLine& line, CompletionWorld& world);

/// Completes the last word of `line`, which is the value of `line.flag`.
Completion complete_flag_value(const TypedLine& line, CompletionWorld& world);

/// Adds the types that can be listed and watched. Adds a short name instead if only that begins
/// with the typed text. With `as_owner`, adds a slash: `TYPE/`.
void add_types(CandidateList& list, CompletionWorld& world, bool as_owner = false);

/// Completes `TYPE/` or `TYPE/NAME`.
Completion complete_pair(std::string_view word, CompletionWorld& world);

/// Completes an argument of a command that takes TYPE[,TYPE…] [NAME…] or TYPE/NAME ….
Completion complete_object_argument(const TypedLine& line, CompletionWorld& world);

}  // namespace kinf
