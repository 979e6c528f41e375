// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/quantity.h"

#include <algorithm>
#include <limits>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr int kDecimals = 9;
constexpr auto kLargestUnits = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
constexpr std::uint64_t kBillion = 1'000'000'000;

/// An amount without a sign. Every operation limits the units to kLargestUnits.
struct Amount {
  std::uint64_t units = 0;
  std::uint64_t billionths = 0;

  void multiply(std::uint64_t factor) {  // `factor` is at most 1024
    if (units > kLargestUnits / factor) {
      limit();
      return;
    }
    units = units * factor + billionths * factor / kBillion;
    billionths = billionths * factor % kBillion;
    if (units > kLargestUnits) limit();
  }
  void divide_by_ten() {
    billionths = (units % 10 * kBillion + billionths) / 10;
    units /= 10;
  }
  void limit() { *this = {kLargestUnits, 0}; }
};

std::string_view take_digits(std::string_view& text) {
  const std::size_t size = std::min(text.find_first_not_of(kDigits), text.size());
  const std::string_view digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

/// Returns the amount for the digits before and after the decimal point.
Amount amount_of(std::string_view whole, std::string_view decimals) {
  Amount amount;
  for (const char c : whole) {
    amount.multiply(10);
    amount.units = std::min(amount.units + static_cast<std::uint64_t>(c - '0'), kLargestUnits);
  }
  std::uint64_t place = kBillion / 10;
  for (const char c : decimals.substr(0, kDecimals)) {
    amount.billionths += static_cast<std::uint64_t>(c - '0') * place;
    place /= 10;
  }
  return amount;
}

void scale(Amount& amount, int power) {
  constexpr int kFarthest = 40;  // after 40 steps, every amount is kLargestUnits or zero
  for (int i = 0; i < std::min(power, kFarthest); ++i) amount.multiply(10);
  for (int i = 0; i > std::max(power, -kFarthest); --i) amount.divide_by_ten();
}

/// Applies a suffix such as `Mi`, `m` or `e3`. Returns false if there is no such suffix.
bool apply_suffix(Amount& amount, std::string_view suffix) {
  constexpr std::string_view kLarge = "KMGTPE";
  if (suffix.size() == 2 && suffix[1] == 'i') {
    const std::size_t power = kLarge.find(suffix[0]);
    for (std::size_t i = 0; power < kLarge.size() && i <= power; ++i) amount.multiply(1024);
    return power < kLarge.size();
  }
  if (suffix.empty()) return true;
  constexpr std::string_view kDecimal = "num1kMGTPE";  // factors of 1,000 each; `1` means no suffix
  const std::size_t step = kDecimal.find(suffix);
  if (suffix.size() == 1 && step != std::string_view::npos) {
    scale(amount, 3 * (static_cast<int>(step) - 3));
    return true;
  }
  if (suffix[0] != 'e' && suffix[0] != 'E') return false;
  suffix.remove_prefix(1);
  if (suffix.starts_with('+')) suffix.remove_prefix(1);
  const auto power = parse_number<int>(suffix);
  if (power) scale(amount, *power);
  return power.has_value();
}

}  // namespace

std::optional<Quantity> parse_quantity(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view whole = take_digits(text);
  std::string_view decimals;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    decimals = take_digits(text);
  }
  if (whole.empty() && decimals.empty()) return std::nullopt;
  Amount amount = amount_of(whole, decimals);
  if (!apply_suffix(amount, text)) return std::nullopt;
  const std::int64_t sign = negative ? -1 : 1;
  return Quantity{sign * static_cast<std::int64_t>(amount.units),
                  sign * static_cast<std::int64_t>(amount.billionths)};
}

}  // namespace kinf
