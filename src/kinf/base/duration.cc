// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/duration.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "kinf/base/ascii.h"
#include "kinf/base/limits.h"

namespace kinf {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};

// The micro prefix has two spellings: the sign U+00B5 and the Greek letter U+03BC.
constexpr std::array<Unit, 9> kUnits = {{{"ns", 1},
                                         {"us", 1'000},
                                         {"\u00b5s", 1'000},
                                         {"\u03bcs", 1'000},
                                         {"ms", 1'000'000},
                                         {"s", 1'000'000'000},
                                         {"m", 60'000'000'000},
                                         {"h", 3'600'000'000'000},
                                         {"d", 86'400'000'000'000}}};

/// Removes the unit from the front of `text`, up to the next digit or point. Returns the unit in
/// nanoseconds, or nullopt if it is unknown.
std::optional<std::int64_t> take_unit(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && text[length] != '.' && !is_digit(text[length])) ++length;
  const std::string_view name = text.substr(0, length);
  text.remove_prefix(length);
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return unit.nanoseconds;
  }
  return std::nullopt;
}

/// Removes one part such as `1.5h` from the front of `text`. Returns it in nanoseconds, rounded
/// down.
std::optional<std::int64_t> take_part(std::string_view& text) {
  std::int64_t whole = 0;
  std::size_t digits = 0;
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1), ++digits) {
    if (__builtin_mul_overflow(whole, 10, &whole) ||
        __builtin_add_overflow(whole, text.front() - '0', &whole)) {
      return std::nullopt;
    }
  }
  double fraction = 0;
  double place = 0.1;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1), ++digits) {
      fraction += place * (text.front() - '0');
      place /= 10;
    }
  }
  if (digits == 0) return std::nullopt;
  const std::optional<std::int64_t> unit = take_unit(text);
  std::int64_t value = 0;
  if (!unit || __builtin_mul_overflow(whole, *unit, &value)) return std::nullopt;
  // The binary value of `fraction` can be slightly below the decimal value. Without the 1e-6, 0.3 s
  // would be 299,999,999 ns.
  const auto rest = static_cast<std::int64_t>(fraction * static_cast<double>(*unit) + 1e-6);
  if (__builtin_add_overflow(value, rest, &value)) return std::nullopt;
  return value;
}

/// Reads one or more numbers, each with a unit, without a sign.
std::optional<std::chrono::nanoseconds> take_parts(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::int64_t total = 0;
  while (!text.empty()) {
    const std::optional<std::int64_t> part = take_part(text);
    if (!part || __builtin_add_overflow(total, *part, &total)) return std::nullopt;
  }
  return std::chrono::nanoseconds(total);
}

}  // namespace

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return std::chrono::nanoseconds(0);
  if (text.find('d') != std::string_view::npos) return std::nullopt;
  std::optional<std::chrono::nanoseconds> duration = take_parts(text);
  if (negative && duration) duration = -*duration;
  return duration;
}

Result<std::chrono::nanoseconds> parse_duration_flag(std::string_view text) {
  const bool is_bare = text.find_first_not_of("0123456789.") == std::string_view::npos;
  const auto duration = take_parts(std::string(text) + (is_bare ? "s" : ""));
  if (duration && *duration <= limits::kFlagTime) return *duration;
  return fail(ErrorKind::usage, "\"{}\" is not a duration such as 30s, 2m or 1h30m", text);
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
