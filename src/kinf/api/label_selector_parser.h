// SPDX-License-Identifier: Apache-2.0
// The grammar of LabelSelector::parse().
#pragma once

#include <string_view>
#include <vector>

#include "kinf/api/label_selector.h"

namespace kinf {

/// Returns the requirements in the order in which they are written. Errors: usage, for the first
/// bad one.
Result<std::vector<LabelRequirement>> parse_label_requirements(std::string_view text);

}  // namespace kinf
