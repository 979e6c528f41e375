// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/index_groups.h"

#include <algorithm>
#include <map>
#include <utility>

namespace kinf {
namespace {

/// One value of a tuple; "has none" sorts behind every text.
struct ByValueNoneLast {
  bool operator()(const std::vector<std::optional<std::string>>& a,
                  const std::vector<std::optional<std::string>>& b) const {
    return std::ranges::lexicographical_compare(a, b, [](const auto& x, const auto& y) {
      if (x.has_value() != y.has_value()) return x.has_value();
      return x < y;
    });
  }
};

using Tuples = std::vector<std::vector<std::optional<std::string>>>;

/// All combinations of the object's values.
Tuples tuples_of(const Object& object, const std::vector<IndexSpec>& specs) {
  Tuples tuples = {{}};
  for (const IndexSpec& spec : specs) {
    std::vector<std::optional<std::string>> values;
    for (std::string& value : spec.values(object)) {
      if (!spec.value() || *spec.value() == value) values.emplace_back(std::move(value));
    }
    if (values.empty()) values.emplace_back();
    Tuples longer;
    for (const auto& tuple : tuples) {
      for (const auto& value : values) {
        longer.push_back(tuple);
        longer.back().push_back(value);
      }
    }
    tuples = std::move(longer);
  }
  return tuples;
}

}  // namespace

void sort_by_key(std::vector<ObjectPtr>& objects) {
  std::ranges::sort(
      objects, {}, [](const ObjectPtr& object) { return std::pair(object->ns(), object->name()); });
}

std::vector<IndexGroup> group_objects(const std::vector<ObjectPtr>& objects,
                                      const std::vector<IndexSpec>& specs) {
  std::map<std::vector<std::optional<std::string>>, std::vector<ObjectPtr>, ByValueNoneLast> found;
  for (const ObjectPtr& object : objects) {
    for (auto& tuple : tuples_of(*object, specs)) found[std::move(tuple)].push_back(object);
  }
  std::vector<IndexGroup> groups;
  for (auto& [values, members] : found) {
    sort_by_key(members);
    groups.push_back({values, std::move(members)});
  }
  std::ranges::stable_sort(groups, std::ranges::greater(),
                           [](const IndexGroup& group) { return group.objects.size(); });
  return groups;
}

}  // namespace kinf
