// SPDX-License-Identifier: Apache-2.0
// Warning headers of an API server ("v1 ComponentStatus is deprecated"): said once per text, for
// whichever request they come with.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// The text of a Warning header of code 299, made safe for a terminal; empty for any other.
std::string parse_warning(std::string_view header);

/// Gives notice of it unless the same was said before in this process. Threads: any.
void show_server_warning(std::string_view header);

}  // namespace kinf
