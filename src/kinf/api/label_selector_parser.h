// SPDX-License-Identifier: Apache-2.0
// The parser behind LabelSelector::parse().
#pragma once

#include <string_view>
#include <vector>

#include "kinf/api/label_selector.h"

namespace kinf {

/// Parses the requirements of a selector, and returns them in their order in the text. Errors:
/// usage, for the first invalid one.
Result<std::vector<LabelRequirement>> parse_label_requirements(std::string_view text);

}  // namespace kinf
