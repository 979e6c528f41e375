// SPDX-License-Identifier: Apache-2.0
// Scenario files: a YAML or JSON document with `objects` and `steps`. Each step has a time and one
// action.
#pragma once

#include <string>
#include <string_view>

#include "kinf/sandbox/scenarios/scenario.h"

namespace kinf::sandbox {

/// Parses a scenario. Fails with a usage error that names `file`, the line or step, the problem,
/// and what is allowed.
Result<Scenario> parse_scenario(std::string_view text, const std::string& file);

/// Reads and parses a file. Blocks on file I/O.
Result<Scenario> read_scenario_file(const std::string& file);

}  // namespace kinf::sandbox
