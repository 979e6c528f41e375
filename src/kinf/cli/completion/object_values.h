// SPDX-License-Identifier: Apache-2.0
// Completes values that depend on objects: selectors, paths of fields, index keys and conditions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/cli/completion/candidate_list.h"
#include "kinf/cli/completion/completion_world.h"
#include "kinf/cli/flags/flag_notes.h"
#include "kinf/cli/flags/typed_line.h"

namespace kinf {

/// Adds words. Those that end with `=` take a value.
void add_all(CandidateList& list, const std::vector<std::string>& words);

/// Adds what the objects of the types in `line` have for the flag of `note`, and the words of the
/// note.
void add_object_values(CandidateList& list, const FlagNote& note, const TypedLine& line,
                       CompletionWorld& world);

}  // namespace kinf
