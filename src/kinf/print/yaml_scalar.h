// SPDX-License-Identifier: Apache-2.0
// What a plain word means to YAML readers, old and new: whether a string needs quotes.
#pragma once

#include <string_view>

namespace kinf {

/// Whether readers do not take the character as it is: control characters, and those that break
/// lines or cannot be seen (next line, line and paragraph separator, byte order mark).
bool is_special_in_yaml(char32_t rune);

/// True if some YAML reader takes the plain word for a number, a boolean, null or a date.
bool yaml_resolves_to_non_string(std::string_view text);

/// How a string can be written. Not about words that mean something else: see above.
struct YamlStringShape {
  bool plain_allowed = false;       ///< without quotes
  bool block_allowed = false;       ///< as a literal block (`|`)
  bool special_characters = false;  ///< only double quotes can hold it
};
YamlStringShape yaml_string_shape(std::string_view text);

}  // namespace kinf
