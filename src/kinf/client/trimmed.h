// SPDX-License-Identifier: Apache-2.0
// Files that hold one word end in a line feed more often than not.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Without white space at both ends.
inline std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kSpace) - first + 1));
}

}  // namespace kinf
