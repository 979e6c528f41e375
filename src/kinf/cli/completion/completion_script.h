// SPDX-License-Identifier: Apache-2.0
// The completion scripts of the shells, which are the files in completions/.
#pragma once

#include <string_view>

namespace kinf {

/// Returns the script of a shell, or an empty text for an unknown shell.
std::string_view completion_script(std::string_view shell);

}  // namespace kinf
