// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/number_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "kinf/base/ascii.h"

namespace kinf {

std::string with_commas(std::size_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", with_commas(number), noun, number == 1 ? "" : "s");
}

std::string first_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 10;
  const auto shown = std::span(names).first(std::min(names.size(), kShown));
  const std::size_t more = names.size() - shown.size();
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     more > 0 ? fmt::format(" and {} more", with_commas(more)) : "");
}

std::string seconds_text(Clock::Duration duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  return seconds < 10 ? fmt::format("{:.2f}s", seconds) : fmt::format("{:.1f}s", seconds);
}

std::string size_text(std::int64_t bytes) {
  constexpr std::array<std::pair<std::string_view, double>, 3> kUnits = {
      {{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}}};
  const auto size = static_cast<double>(bytes);
  for (const auto& [unit, factor] : kUnits) {
    if (size >= factor) return fmt::format("{:.{}f} {}", size / factor, unit == "kB" ? 0 : 1, unit);
  }
  return fmt::format("{} B", bytes);
}

Result<std::int64_t> parse_size(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 10> kUnits = {
      {{"KiB", 1LL << 10},
       {"MiB", 1LL << 20},
       {"GiB", 1LL << 30},
       {"TiB", 1LL << 40},
       {"kB", 1'000},
       {"KB", 1'000},
       {"MB", 1'000'000},
       {"GB", 1'000'000'000},
       {"TB", 1'000'000'000'000},
       {"B", 1}}};
  std::int64_t factor = 1;
  for (const auto& [unit, bytes] : kUnits) {
    if (!text.ends_with(unit)) continue;
    factor = bytes;
    text.remove_suffix(unit.size());
    break;
  }
  constexpr double kLargestSize = 1e18;
  const auto number = parse_number<double>(trimmed(text));
  if (!number || !(*number > 0) || *number * static_cast<double>(factor) > kLargestSize) {
    return fail(ErrorKind::usage, "not a size such as 500MB or 2GiB");
  }
  return static_cast<std::int64_t>(*number * static_cast<double>(factor));
}

}  // namespace kinf
