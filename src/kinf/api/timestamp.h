// SPDX-License-Identifier: Apache-2.0
// Times as the API writes them: RFC 3339, to the second.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace kinf {

/// `2026-11-21T10:14:00Z`; fractions of a second are dropped, offsets such as `+02:00` understood.
/// Empty for anything else, including dates that do not exist.
std::optional<std::chrono::sys_seconds> parse_timestamp(std::string_view text);

/// `2026-11-21T10:14:00Z`.
std::string timestamp_text(std::chrono::sys_seconds time);

}  // namespace kinf
