// SPDX-License-Identifier: Apache-2.0
// Durations on the command line.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

/// `30s`, `2m`, `1h30m`, `1.5s`, `250ms`; a number alone is seconds. A usage error for anything
/// else, for negative ones, and for what is longer than a hundred years.
Result<std::chrono::nanoseconds> parse_duration_flag(std::string_view text);

/// `5ms`, `1.28s`, `1m20s`: as Go writes it, to the millisecond; below that `100µs`, `5ns`.
std::string duration_text(std::chrono::nanoseconds duration);

}  // namespace kinf
