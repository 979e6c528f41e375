// SPDX-License-Identifier: Apache-2.0
// ASCII letters in upper and lower case, whatever the locale is. All other bytes stay as they are.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

inline std::string to_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

inline std::string to_upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

}  // namespace kinf
