// SPDX-License-Identifier: Apache-2.0
// The variables KINF_<FLAG>.
#pragma once

#include <string>
#include <vector>

#include "kinf/cli/settings/settings.h"

namespace kinf {

/// Returns the defaults that `variables` (NAME=value) set: those named KINF_<FLAG>. Skips the
/// variables that `kinf run` passes to its program, and empty ones.
std::vector<FlagDefault> environment_defaults(const std::vector<std::string>& variables);

}  // namespace kinf
