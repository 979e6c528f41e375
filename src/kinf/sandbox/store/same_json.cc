// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/store/same_json.h"

#include <algorithm>

namespace kinf::sandbox {

bool is_same(const Json& one, const Json& other) {
  if (one.type() != other.type() || !one.is_structured()) return one == other;
  if (one.size() != other.size()) return false;
  if (one.is_array()) return std::equal(one.begin(), one.end(), other.begin(), is_same);
  for (const auto& [key, value] : one.items()) {
    const auto found = other.find(key);
    if (found == other.end() || !is_same(value, *found)) return false;
  }
  return true;
}

}  // namespace kinf::sandbox
