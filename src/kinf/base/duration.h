// SPDX-License-Identifier: Apache-2.0
// Parses and prints durations in Go's format (`300ms`, `1.5h`, `2h45m`), for flags, config files
// and messages.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

/// Parses what Go's time.ParseDuration parses: an optional sign, then numbers, each with a unit (ns
/// us µs ms s m h). A bare `0` needs no unit. Returns nullopt for anything else, and for durations
/// that do not fit in 64 bits of nanoseconds.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// Parses the value of a flag. Unlike parse_duration(), it allows days (`2d`) and bare numbers,
/// which are seconds, but no sign. Returns a usage error for anything else and for more than 100
/// years.
Result<std::chrono::nanoseconds> parse_duration_flag(std::string_view text);

/// Formats a duration as Go does, rounded down to milliseconds: `5ms`, `1.28s`, `1m20s`. Durations
/// below 1 ms are in whole µs or ns: `100µs`, `5ns`.
std::string duration_text(std::chrono::nanoseconds duration);

}  // namespace kinf
