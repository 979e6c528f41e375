// SPDX-License-Identifier: Apache-2.0
// Durations as Go writes them: `300ms`, `1.5h`, `2h45m`. For flags, config files and messages.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

/// Reads what Go's time.ParseDuration reads: a sign, then numbers with a unit each (ns us µs ms s
/// m h); a bare `0` needs none. Returns nullopt for anything else and for what does not fit 64 bits
/// of nanoseconds.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// Reads the value of a flag: as parse_duration, but without a sign, with days (`2d`), and a number
/// alone is seconds. Returns a usage error for anything else and for more than a hundred years.
Result<std::chrono::nanoseconds> parse_duration_flag(std::string_view text);

/// Returns `5ms`, `1.28s`, `1m20s`: as Go writes it, to the millisecond; below that `100µs`, `5ns`.
std::string duration_text(std::chrono::nanoseconds duration);

}  // namespace kinf
