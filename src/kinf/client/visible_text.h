// SPDX-License-Identifier: Apache-2.0
// Makes text from a config file or a server safe to print to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Replaces each character that is not printable, and broken UTF-8, by its code point: `U+001B` for
/// ESC. Keeps tabs, line feeds and other white space.
/// Threads: any.
std::string visible_text(std::string_view text);

}  // namespace kinf
