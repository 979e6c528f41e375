// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/json_depth.h"

#include <algorithm>

namespace kinf {

std::size_t json_depth(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (depth > 0 && (c == '}' || c == ']')) {
      --depth;
    }
  }
  return deepest;
}

}  // namespace kinf
