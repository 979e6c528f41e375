// SPDX-License-Identifier: Apache-2.0
// The help text of each command, made of the tables of commands and flags.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Returns the help of the command `topic`, or of the program if `topic` is empty.
std::string help_text(std::string_view topic);

/// Returns the version and compiler: `kinf 0.1.0 (g++ 12.2.0)`.
std::string version_text();

}  // namespace kinf
