// SPDX-License-Identifier: Apache-2.0
// trimmed: removes the white space around a text.
#pragma once

#include <string_view>

namespace kinf {

/// Returns `text` without ASCII white space at both ends. The result points into `text`.
constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace kinf
