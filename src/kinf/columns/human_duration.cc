// SPDX-License-Identifier: Apache-2.0
#include "kinf/columns/human_duration.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

namespace kinf {
namespace {

/// Returns `3h20m`, or `3h` if the smaller unit is 0.
std::string two_units(std::int64_t large, char large_unit, std::int64_t small, char small_unit) {
  if (small == 0) return fmt::format("{}{}", large, large_unit);
  return fmt::format("{}{}{}{}", large, large_unit, small, small_unit);
}

}  // namespace

// The thresholds are those of apimachinery. They keep two or three significant digits.
std::string human_duration(std::chrono::nanoseconds duration) {
  const std::int64_t seconds = duration / std::chrono::seconds(1);
  const std::int64_t minutes = seconds / 60;
  const std::int64_t hours = minutes / 60;
  const std::int64_t days = hours / 24;
  constexpr std::int64_t kYear = 365;
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return fmt::format("{}s", seconds);
  if (minutes < 10) return two_units(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return fmt::format("{}m", minutes);
  if (hours < 8) return two_units(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return fmt::format("{}h", hours);
  if (days < 8) return two_units(days, 'd', hours % 24, 'h');
  if (days < 2 * kYear) return fmt::format("{}d", days);
  if (days < 8 * kYear) return two_units(days / kYear, 'y', days % kYear, 'd');
  return fmt::format("{}y", days / kYear);
}

std::string human_age(Clock::Wall then, Clock::Wall now) {
  std::int64_t age = 0;
  if (__builtin_sub_overflow(now.time_since_epoch().count(), then.time_since_epoch().count(),
                             &age)) {
    age = then < now ? std::numeric_limits<std::int64_t>::max()
                     : std::numeric_limits<std::int64_t>::min();
  }
  return human_duration(std::chrono::nanoseconds(age));
}

}  // namespace kinf
