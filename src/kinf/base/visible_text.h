// SPDX-License-Identifier: Apache-2.0
// Makes text from a config file or a server safe to print to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Whether visible_text() keeps the colour codes of base/colour.h.
enum class ColourCodes { escape, keep };

/// Replaces each character that is not printable with a JSON escape such as `\u001b` (beyond U+FFFF
/// two of them), and each byte that is not UTF-8 with U+FFFD. Control characters, bidirectional
/// controls, zero-width characters and line separators are not printable. Keeps line feeds, tabs
/// and spaces. Threads: any.
std::string visible_text(std::string_view text, ColourCodes codes = ColourCodes::escape);

/// The same, but returns a single line: replaces line feeds and tabs, too, with `\n` and `\t`.
std::string visible_line(std::string_view text);

}  // namespace kinf
