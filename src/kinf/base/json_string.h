// SPDX-License-Identifier: Apache-2.0
// Converts text to a JSON string and back, and measures how deep a JSON text is nested.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinf {

enum class JsonEscapes {
  needed,  ///< escapes only quotes, backslashes and control characters
  as_go,   ///< like json.Marshal: also `<`, `>`, `&`, U+2028, U+2029; invalid UTF-8 becomes U+FFFD
};

/// Appends `text` as a JSON string, quotes included.
void append_json_string(std::string& out, std::string_view text,
                        JsonEscapes escapes = JsonEscapes::needed);

/// Appends `"name":`, after a comma unless `out` ends with the `{` of an object. `name` needs no
/// escapes.
void append_json_name(std::string& out, std::string_view name);
void append_json_member(std::string& out, std::string_view name, std::string_view text);

/// Appends one byte of a string, escaped if necessary.
void append_json_escaped(std::string& out, char byte);

/// Returns the text of the JSON string `quoted`, which includes the quotes. An unpaired surrogate
/// becomes U+FFFD. Unknown escapes are copied unchanged.
std::string json_unquoted(std::string_view quoted);

/// Returns the maximum nesting depth of brackets outside strings. `text` need not be valid JSON.
std::size_t json_depth(std::string_view text);

}  // namespace kinf
