// SPDX-License-Identifier: Apache-2.0
// Parses and prints times in RFC 3339 format, which the Kubernetes API uses:
// `2026-11-21T10:14:00Z`.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"

namespace kinf {

/// Parses a time with `Z` or an offset such as `+02:00`. Ignores fractions of a second. Returns
/// nullopt for anything else, including dates that do not exist.
std::optional<std::chrono::sys_seconds> parse_timestamp(std::string_view text);

/// Converts `time` and a fraction of a second to Clock::Wall, whose range is the years 1677 to
/// 2262. A time outside this range becomes Clock::Wall::min() or max().
Clock::Wall wall_time(std::chrono::sys_seconds time, std::chrono::nanoseconds fraction = {});

/// Like parse_timestamp(), but with the fraction of the second, down to nanoseconds.
std::optional<Clock::Wall> parse_precise_timestamp(std::string_view text);

/// Appends `time` in UTC, for years 0 to 9999. `fraction` is written with `digits` places (0: no
/// fraction).
void append_timestamp(std::string& out, std::chrono::sys_seconds time, unsigned fraction,
                      unsigned digits);

/// Appends `time` with the precision of its type: no decimal places for seconds, three for
/// milliseconds.
template <class Duration>
void append_timestamp(std::string& out, std::chrono::sys_time<Duration> time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  append_timestamp(out, whole, static_cast<unsigned>((time - whole).count()),
                   std::chrono::hh_mm_ss<Duration>::fractional_width);
}

template <class Duration>
std::string timestamp_text(std::chrono::sys_time<Duration> time) {
  std::string text;
  append_timestamp(text, time);
  return text;
}

/// Formats an offset from UTC, given in seconds: `Z`, `+01:00`.
std::string offset_text(long seconds);

/// Formats `time` in the local time zone: `2026-11-21T19:14:00+09:00`. Cuts off fractions of a
/// second.
std::string local_time_text(Clock::Wall time);

}  // namespace kinf
