// SPDX-License-Identifier: Apache-2.0
// Durations as Go writes them: `300ms`, `1.5h`, `2h45m`. For flags and config files.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace kinf {

/// What Go's time.ParseDuration takes: a sign, then numbers with a unit each (ns us µs ms s m h);
/// a bare `0` needs none. Nullopt for anything else and for what does not fit 64 bits of
/// nanoseconds.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

}  // namespace kinf
