// SPDX-License-Identifier: Apache-2.0
// Scenarios as users write them: a YAML document with `objects`, and `steps` of which each has a
// time and one thing that happens then.
#pragma once

#include <string>
#include <string_view>

#include "kinf/sandbox/scenarios/scenario.h"

namespace kinf::sandbox {

/// A usage error names `file`, the line or the step, what is wrong there and what may stand there.
Result<Scenario> parse_scenario(std::string_view text, const std::string& file);

/// The same from the disk.
Result<Scenario> read_scenario_file(const std::string& file);

}  // namespace kinf::sandbox
