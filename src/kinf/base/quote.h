// SPDX-License-Identifier: Apache-2.0
// quoted: text in double quotes for messages, as Go's %q writes it, except that printable non-ASCII
// characters stay readable. For JSON see base/json_string.h.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Escapes quotes, backslashes, bytes that are not UTF-8 and invisible characters.
std::string quoted(std::string_view text);

}  // namespace kinf
