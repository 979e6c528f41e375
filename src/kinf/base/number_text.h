// SPDX-License-Identifier: Apache-2.0
// Formats numbers, sizes and seconds for people, and parses sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf {

/// Formats a number: `1,204`.
std::string with_commas(std::size_t number);

/// Formats a count: `1 object`, `1,204 objects`.
std::string counted(std::size_t number, std::string_view noun);

/// Joins names: `a, b, c`. Shows the first ten: `a, b, …, j and 3 more`.
std::string first_names(const std::vector<std::string>& names);

/// Formats seconds: `0.04s`, `12.3s`.
std::string seconds_text(Clock::Duration duration);

/// Formats a number of bytes: `212 kB`.
std::string size_text(std::int64_t bytes);

/// Parses a number of bytes such as `500MB`, `2GiB` or `4096`. Errors: usage.
Result<std::int64_t> parse_size(std::string_view text);

}  // namespace kinf
