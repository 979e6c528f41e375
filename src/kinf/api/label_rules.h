// SPDX-License-Identifier: Apache-2.0
// The rules for labels, with the API server's messages. Pure functions, to be called from any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kinf {

/// Returns what is wrong with a label key; empty if it is `[prefix/]name` with a DNS subdomain as
/// prefix.
std::string label_key_problem(std::string_view key);
/// Returns what is wrong with a label value; empty if it is valid.
std::string label_value_problem(std::string_view value);

/// Returns the integer that `>` and `<` compare; nothing if `value` is not an integer.
std::optional<std::int64_t> label_integer(std::string_view value);

}  // namespace kinf
