// SPDX-License-Identifier: Apache-2.0
// Decides which cells of a table show a state that needs attention, such as CrashLoopBackOff.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/visible_text.h"

namespace kinf {

/// Returns the colour of each cell in the row of an object: red for failures, yellow for states
/// that should not last, `none` for the others. Judges columns by their names, so that custom
/// resources are coloured, too: Status, Phase, State and Health by the word; Ready, Available,
/// Healthy and Synced by `1/2` or `False`; Ready of workloads by the column Desired; the Type of an
/// Event. Threads: any.
std::vector<Colour> attention_colours(std::string_view kind,
                                      const std::vector<TableColumn>& columns,
                                      const std::vector<std::string>& cells);

}  // namespace kinf
