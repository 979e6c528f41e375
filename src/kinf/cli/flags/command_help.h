// SPDX-License-Identifier: Apache-2.0
// The help of each command without the flags that several commands have, which help.cc adds.
#pragma once

#include <string_view>

namespace kinf {

/// Returns nothing for a command without a help of its own.
std::string_view command_help(std::string_view command);

}  // namespace kinf
