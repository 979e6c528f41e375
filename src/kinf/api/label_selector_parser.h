// SPDX-License-Identifier: Apache-2.0
// The grammar behind LabelSelector::parse; nobody else's business.
#pragma once

#include <string_view>
#include <vector>

#include "kinf/api/label_selector.h"

namespace kinf {

/// The requirements in the order they are written. A usage error names the first bad one.
Result<std::vector<LabelRequirement>> parse_label_requirements(std::string_view text);

}  // namespace kinf
