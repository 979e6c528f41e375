// SPDX-License-Identifier: Apache-2.0
// Determines whether a string needs quotes in YAML, so that parsers of YAML 1.1 and 1.2 read it
// back as a string.
#pragma once

#include <string_view>

namespace kinf {

/// Returns true for characters that must be escaped: control characters, and characters that break
/// lines or are invisible (next line, line and paragraph separator, byte order mark).
bool is_special_in_yaml(char32_t rune);

/// Returns true if some YAML parser reads the text without quotes as a number, a boolean, null or a
/// date.
bool yaml_resolves_to_non_string(std::string_view text);

/// The YAML styles in which a string can be written, provided that yaml_resolves_to_non_string() is
/// false for it.
struct YamlStringShape {
  bool plain_allowed = false;       ///< may be written without quotes
  bool block_allowed = false;       ///< may be written as a literal block (`|`)
  bool special_characters = false;  ///< must be written in double quotes
};
YamlStringShape yaml_string_shape(std::string_view text);

}  // namespace kinf
