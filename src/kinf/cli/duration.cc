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

std::string duration_text(std::chrono::nanoseconds duration) {
  using namespace std::chrono;
  if (duration < microseconds(1)) return fmt::format("{}ns", duration.count());
  if (duration < milliseconds(1)) {
    return fmt::format("{}µs", duration_cast<microseconds>(duration).count());
  }
  if (duration < seconds(1)) {
    return fmt::format("{}ms", duration_cast<milliseconds>(duration).count());
  }
  const auto whole = duration_cast<milliseconds>(duration).count();
  const auto minutes = whole / 60'000;
  const double rest = static_cast<double>(whole % 60'000) / 1000;
  if (minutes == 0) return fmt::format("{}s", rest);
  if (minutes < 60) return fmt::format("{}m{}s", minutes, rest);
  return fmt::format("{}h{}m{}s", minutes / 60, minutes % 60, rest);
}

}  // namespace kinf
