// SPDX-License-Identifier: Apache-2.0
// visible_text: makes text from a config file or a server safe to print to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Replaces each character that is not printable with its code point, such as `U+001B` for ESC, and
/// each invalid UTF-8 byte with `U+FFFD`. Keeps tabs, line feeds and other white space. Threads:
/// any.
std::string visible_text(std::string_view text);

}  // namespace kinf
