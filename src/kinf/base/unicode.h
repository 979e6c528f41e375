// SPDX-License-Identifier: Apache-2.0
// The parts of Unicode that kinf needs: decoding, encoding, which characters are letters or
// visible. Invalid bytes decode to U+FFFD, one byte at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinf {

/// U+FFFD, which replaces bytes that cannot be decoded.
inline constexpr char32_t kReplacement = 0xFFFD;

struct Rune {
  char32_t value = 0;
  std::size_t size = 0;  ///< bytes it takes; 0 at the end of the text
};

Rune decode_rune(std::string_view text, std::size_t at);
/// Returns `text` with `?` for each ASCII control character, so that it cannot steer a terminal.
std::string without_controls(std::string_view text);
/// Returns the number of code points, to compute widths on a screen.
std::size_t code_points(std::string_view text);
void append_utf8(std::string& out, char32_t rune);
/// Whether the character is a letter or digit of any script, or `_`. Outside ASCII by blocks:
/// everything but the blocks of spaces, punctuation, symbols and emoji.
bool is_word_rune(char32_t rune);
/// Whether the character is visible: no control or format character, and no space except U+0020.
bool is_printable(char32_t rune);

}  // namespace kinf
