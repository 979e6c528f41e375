// SPDX-License-Identifier: Apache-2.0
// ASCII letters without their case, whatever the locale.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace kinf {

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace kinf
