// SPDX-License-Identifier: Apache-2.0
// Decodes and encodes UTF-8, and tells letters, spaces and printable characters apart. Each invalid
// byte decodes to one U+FFFD.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinf {

/// U+FFFD, which replaces bytes that cannot be decoded.
inline constexpr char32_t kReplacement = 0xFFFD;

struct Rune {
  char32_t value = 0;
  std::size_t size = 0;  ///< in bytes; 0 at the end of the text
};

Rune decode_rune(std::string_view text, std::size_t at);
/// Returns the number of code points, which is used as the width on a screen.
std::size_t code_points(std::string_view text);
void append_utf8(std::string& out, char32_t rune);
/// Returns whether the character is a letter or digit of any script, or `_`. Outside ASCII this is
/// approximate: it excludes only the Unicode blocks of spaces, punctuation, symbols and emoji.
bool is_word_rune(char32_t rune);
/// Returns false for control characters, format characters, and spaces except U+0020.
bool is_printable(char32_t rune);
/// Returns whether the character is U+0020 or another space of Unicode. Tabs and line ends do not
/// count.
bool is_space(char32_t rune);

}  // namespace kinf
