// SPDX-License-Identifier: Apache-2.0
// How deep a JSON document is nested, before anything parses it.
#pragma once

#include <cstddef>
#include <string_view>

namespace kinf {

/// Returns the maximum nesting depth of brackets outside strings. `text` need not be valid JSON.
std::size_t json_depth(std::string_view text);

}  // namespace kinf
