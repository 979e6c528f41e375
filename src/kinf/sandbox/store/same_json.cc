// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/store/same_json.h"

#include <algorithm>

#include "kinf/sandbox/store/json_index.h"

namespace kinf::sandbox {

bool is_same(const Json& one, const Json& other) {
  if (one.type() != other.type() || !one.is_structured()) return one == other;
  if (one.size() != other.size()) return false;
  if (one.is_array()) return std::equal(one.begin(), one.end(), other.begin(), is_same);
  const MemberIndex members(other);
  return std::ranges::all_of(one.get_ref<const Json::object_t&>(), [&](const auto& member) {
    const Json* found = members.find(member.first);
    return found != nullptr && is_same(member.second, *found);
  });
}

}  // namespace kinf::sandbox
