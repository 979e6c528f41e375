// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_order.h"

#include <algorithm>
#include <utility>

namespace kinf {

Result<void> sort_objects(std::vector<PrintedObjects>& types, const SortOrder& order,
                          SortScope scope) {
  if (order.empty()) return {};
  std::vector<PrintedObjects> all;
  for (auto begin = types.begin(); begin != types.end();) {
    const auto is_other = [&](const PrintedObjects& one) {
      return one.resource->gvr.group_resource() != begin->resource->gvr.group_resource();
    };
    const auto end =
        scope == SortScope::table ? std::find_if(begin, types.end(), is_other) : types.end();
    std::vector<PrintedObjects> singles;
    std::vector<const Object*> objects;
    for (; begin != end; ++begin) {
      for (const ObjectPtr& object : begin->objects) {
        singles.push_back({begin->resource, {object}, begin->cluster});
        objects.push_back(object.get());
      }
    }
    const Result<std::vector<std::size_t>> positions = order.positions(objects);
    if (!positions) return std::unexpected(positions.error());
    for (const std::size_t position : *positions) all.push_back(std::move(singles[position]));
  }
  types = std::move(all);
  return {};
}

}  // namespace kinf
