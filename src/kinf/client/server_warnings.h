// SPDX-License-Identifier: Apache-2.0
// Logs the Warning headers of an API server ("v1 ComponentStatus is deprecated"), each text once.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Returns the text of a Warning header with code 299, escaped for a terminal; empty for other
/// codes.
std::string parse_warning(std::string_view header);

/// Logs the warning unless this process has logged the same text before. Logs at most 100 different
/// texts.
/// Threads: any.
void show_server_warning(std::string_view header);

}  // namespace kinf
