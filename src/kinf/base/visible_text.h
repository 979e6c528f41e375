// SPDX-License-Identifier: Apache-2.0
// Makes text from a config file or a server safe to print to a terminal, and prints colours there,
// as ANSI codes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinf {

enum class Colour { none, red, green, yellow, grey };

/// Appends `text` in a colour. The text must not have colours itself.
void append_coloured(std::string& out, std::string_view text, Colour colour);

/// Returns the length of the colour code at the start of `text`; 0 if there is none. Knows only the
/// codes that append_coloured() writes.
std::size_t colour_code_size(std::string_view text);

/// Whether visible_text() keeps the codes that append_coloured() writes.
enum class ColourCodes { escape, keep };

/// Replaces each character that is not printable with a JSON escape such as `\u001b` (beyond U+FFFF
/// two of them), and each byte that is not UTF-8 with U+FFFD. Control characters, bidirectional
/// controls, zero-width characters and line separators are not printable. Keeps line feeds, tabs
/// and spaces. Threads: any.
std::string visible_text(std::string_view text, ColourCodes codes = ColourCodes::escape);

/// The same, but returns a single line: replaces line feeds and tabs, too, with `\n` and `\t`.
std::string visible_line(std::string_view text);

}  // namespace kinf
