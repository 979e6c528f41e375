// SPDX-License-Identifier: Apache-2.0
// parse_number: parses numbers in text from outside, such as flags, queries and headers.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace kinf {

/// Parses `text` as a decimal number. Returns nullopt if it contains anything else, including
/// blanks and `+`, or if the number does not fit in the type.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace kinf
