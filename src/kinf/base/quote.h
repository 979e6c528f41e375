// SPDX-License-Identifier: Apache-2.0
// quoted: text in double quotes for messages, as Go's %q writes it, save that printable non-ASCII
// stays readable.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Control characters, quotes, backslashes and bytes that are not UTF-8 are escaped.
std::string quoted(std::string_view text);

}  // namespace kinf
