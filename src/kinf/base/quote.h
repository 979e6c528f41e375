// SPDX-License-Identifier: Apache-2.0
// quoted: text in double quotes for messages, as Go's %q writes it, save that printable non-ASCII
// stays readable.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Quotes, backslashes, bytes that are not UTF-8 and whatever cannot be seen are escaped.
std::string quoted(std::string_view text);

}  // namespace kinf
