// SPDX-License-Identifier: Apache-2.0
// quoted: puts text in double quotes for messages, like Go's %q. For JSON see base/json_string.h.
// shell_word: quotes text for a command that a user may paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Returns `text` in double quotes. Escapes quotes, backslashes, bytes that are not UTF-8, and
/// invisible characters.
std::string quoted(std::string_view text);

/// Returns `text` as one word of a POSIX shell: unchanged if it needs no quotes, otherwise in
/// single quotes.
std::string shell_word(std::string_view text);

}  // namespace kinf
