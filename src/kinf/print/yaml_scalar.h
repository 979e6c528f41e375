// SPDX-License-Identifier: Apache-2.0
// Whether a string needs quotes in YAML, for readers of YAML 1.1 and 1.2.
#pragma once

#include <string_view>

namespace kinf {

/// Whether a character must be escaped: control characters, and those that break lines or are
/// invisible (next line, line and paragraph separator, byte order mark).
bool is_special_in_yaml(char32_t rune);

/// Whether some YAML reader takes the word, without quotes, for a number, a boolean, null or a
/// date.
bool yaml_resolves_to_non_string(std::string_view text);

/// How a string can be written, if it is not such a word.
struct YamlStringShape {
  bool plain_allowed = false;       ///< without quotes
  bool block_allowed = false;       ///< as a literal block (`|`)
  bool special_characters = false;  ///< only in double quotes
};
YamlStringShape yaml_string_shape(std::string_view text);

}  // namespace kinf
