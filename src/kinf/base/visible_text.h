// SPDX-License-Identifier: Apache-2.0
// Makes text from a config file or a server safe to print to a terminal, and adds ANSI colour codes
// to text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinf {

enum class Colour { none, red, green, yellow, grey };

/// Appends `text` in a colour. `text` must not contain colour codes.
void append_coloured(std::string& out, std::string_view text, Colour colour);

/// Returns the length of the colour code at the start of `text`; 0 if there is none. Knows only the
/// codes that append_coloured() writes.
std::size_t colour_code_size(std::string_view text);

/// Selects whether visible_text() escapes or keeps the colour codes that append_coloured() writes.
enum class ColourCodes { escape, keep };

/// Replaces each character that is not printable with a JSON escape such as `\u001b` (two escapes
/// above U+FFFF), and each byte that is not UTF-8 with U+FFFD. Control characters, bidirectional
/// controls, zero-width characters and line separators are not printable. Keeps line feeds, tabs
/// and spaces. Threads: any.
std::string visible_text(std::string_view text, ColourCodes codes = ColourCodes::escape);

/// Like visible_text(), but returns a single line: also replaces line feeds and tabs with `\n` and
/// `\t`.
std::string visible_line(std::string_view text);

}  // namespace kinf
