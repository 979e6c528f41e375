// SPDX-License-Identifier: Apache-2.0
// parse_number: a whole text as one number, where text comes from outside: flags, queries, headers.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace kinf {

/// Reads `text` as a decimal number. Returns nullopt if it contains anything else, also blanks or a
/// `+`, or does not fit.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace kinf
