// SPDX-License-Identifier: Apache-2.0
// What a label may look like, with the API server's own words for what it may not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kinf {

/// Empty if `key` is `[prefix/]name` with a DNS subdomain as prefix; else what is wrong with it.
std::string label_key_problem(std::string_view key);
/// Empty if `value` is one; else what is wrong with it.
std::string label_value_problem(std::string_view value);

/// The value as the integer that `>` and `<` compare; nothing if it is none.
std::optional<std::int64_t> label_integer(std::string_view value);

}  // namespace kinf
