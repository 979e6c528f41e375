// SPDX-License-Identifier: Apache-2.0
// Text as a JSON string and back. Nothing else knows JSON's escapes.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

enum class JsonEscapes {
  needed,  ///< quotes, backslashes, control characters; all other bytes stay as they are
  as_go,   ///< also `<`, `>`, `&` and the line separators, as json.Marshal; U+FFFD for bad UTF-8
};

/// Appends `text` as a JSON string, quotes included.
void append_json_string(std::string& out, std::string_view text,
                        JsonEscapes escapes = JsonEscapes::needed);

/// Appends one byte of a string: its escape if it needs one.
void append_json_escaped(std::string& out, char byte);

/// Returns the text of a JSON string. `quoted` includes the quotes. Half a surrogate
/// pair becomes U+FFFD; an unknown escape stays as it is.
std::string json_unquoted(std::string_view quoted);

}  // namespace kinf
