// SPDX-License-Identifier: Apache-2.0
// Objects grouped by the values of one or more indices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/query/index_spec.h"

namespace kinf {

struct IndexGroup {
  /// One per spec; empty for objects that have none.
  std::vector<std::optional<std::string>> values;
  std::vector<ObjectPtr> objects;  ///< sorted by key
};

/// The biggest group first, then by values, "has none" last. An object with several values stands
/// in several groups; of a spec with a value, only that value counts.
std::vector<IndexGroup> group_objects(const std::vector<ObjectPtr>& objects,
                                      const std::vector<IndexSpec>& specs);

/// By namespace, then name: the order of a list from the server.
void sort_by_key(std::vector<ObjectPtr>& objects);

}  // namespace kinf
