// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/duration.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace kinf {
namespace {

struct Unit {
  std::string_view name;
  double seconds;
};

/// Longer names first: `ms` before `m`.
constexpr std::array<Unit, 7> kUnits = {
    {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"h", 3600}, {"m", 60}, {"s", 1}, {"d", 86400}}};

constexpr double kLongest = 100.0 * 365 * 86400;

std::unexpected<Error> not_a_duration(std::string_view text) {
  return fail(ErrorKind::usage,
              fmt::format("\"{}\" is not a duration such as 30s, 2m or 1h30m", text));
}

}  // namespace

Result<std::chrono::nanoseconds> parse_duration_flag(std::string_view text) {
  std::string_view rest = text;
  double total = 0;
  bool bare = false;
  do {
    double number = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
    if (error != std::errc() || bare || !(number >= 0) || rest.front() == '-') {
      return not_a_duration(text);
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    double unit = 0;
    for (const Unit& candidate : kUnits) {
      if (unit == 0 && rest.starts_with(candidate.name)) {
        unit = candidate.seconds;
        rest.remove_prefix(candidate.name.size());
      }
    }
    bare = unit == 0;
    if (bare && (!rest.empty() || total > 0)) return not_a_duration(text);
    total += number * (bare ? 1 : unit);
  } while (!rest.empty());
  if (!(total <= kLongest)) return not_a_duration(text);
  return std::chrono::round<std::chrono::nanoseconds>(std::chrono::duration<double>(total));
}

}  // namespace kinf
