// SPDX-License-Identifier: Apache-2.0
// Warning headers of an API server ("v1 ComponentStatus is deprecated"), each text logged once.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Returns the text of a Warning header of code 299, made safe for a terminal; empty for any other
/// code.
std::string parse_warning(std::string_view header);

/// Logs the warning unless this process has logged the same text before; after 100 different texts
/// it logs no more.
/// Threads: any.
void show_server_warning(std::string_view header);

}  // namespace kinf
