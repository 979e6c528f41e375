// SPDX-License-Identifier: Apache-2.0
// Text from a config file or a server on its way to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Replaces what could steer a terminal or hide text by its code point, `U+001B` for ESC: whatever
/// is_printable() denies, and broken UTF-8. Tab, line feed and the like stay.
std::string visible_text(std::string_view text);

}  // namespace kinf
