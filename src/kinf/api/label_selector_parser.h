// SPDX-License-Identifier: Apache-2.0
// The parser behind LabelSelector::parse(), and the rules for labels, with the API server's
// messages. Pure functions. Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kinf/api/selectors.h"

namespace kinf {

/// Parses the requirements of a selector, and returns them in their order in the text. Errors:
/// usage, for the first invalid one.
Result<std::vector<LabelRequirement>> parse_label_requirements(std::string_view text);

/// Parses a value for `>` and `<`. Returns nullopt if it is not an integer.
std::optional<std::int64_t> label_integer(std::string_view value);

}  // namespace kinf
