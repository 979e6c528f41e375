// SPDX-License-Identifier: Apache-2.0
// quoted: text in double quotes for messages, as Go's %q writes it, except that printable non-ASCII
// characters stay readable.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Escapes quotes, backslashes, bytes that are not UTF-8, and characters that cannot be seen.
std::string quoted(std::string_view text);

}  // namespace kinf
