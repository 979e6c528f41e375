// SPDX-License-Identifier: Apache-2.0
// Parses the values of flags that are texts after CLI11 has read them: expressions, selectors,
// paths, formats and times. For command_line.cc only.
#pragma once

#include <string_view>

#include "kinf/cli/flags/parsed_flags.h"

namespace kinf {

/// Parses the texts of the flags of `command`, each by itself: whether flags fit each other and the
/// arguments is checked later, see command_lines.h. Errors: usage.
Result<void> parse_texts(ParsedFlags& parsed, std::string_view command);

}  // namespace kinf
