// SPDX-License-Identifier: Apache-2.0
// Functions for ASCII case, digits, white space and numbers in text from outside, such as flags,
// queries and headers. They ignore the locale and leave all other bytes unchanged.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace kinf {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string to_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = to_lower(c);
  return result;
}

inline std::string to_upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

/// Returns `text` without ASCII white space at both ends. The result points into `text`.
constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// Returns whether `value` is valid as the value of a header: it contains no control characters
/// except tabs.
inline bool is_header_value(std::string_view value) {
  return std::ranges::none_of(value, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < ' ' && c != '\t') || byte == 0x7f;
  });
}

/// Splits `rest` at the first character that is in `separators`. Returns the text before that
/// character, and leaves the text after it in `rest`. Returns all of `rest` if it contains no
/// separator. The result points into the text of `rest`.
constexpr std::string_view take_until(std::string_view& rest, std::string_view separators) {
  const std::string_view part = rest.substr(0, rest.find_first_of(separators));
  rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  return part;
}

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
