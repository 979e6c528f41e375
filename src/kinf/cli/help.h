// SPDX-License-Identifier: Apache-2.0
// The help texts: one screen a command.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Of a command, or of the program if `topic` is empty.
std::string help_text(std::string_view topic);

/// `kinf 0.1.0 (g++ 12.2.0)`.
std::string version_text();

}  // namespace kinf
