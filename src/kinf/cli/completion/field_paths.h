// SPDX-License-Identifier: Apache-2.0
// Lists the fields that objects have, for the completion of paths.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"

namespace kinf {

struct FieldPath {
  std::string path;  ///< `.spec.containers[*].image`
  bool has_fields = false;

  friend bool operator==(const FieldPath&, const FieldPath&) = default;
};

/// Returns the paths that begin with `typed` (`.spec.no`), without those of deeper levels, sorted.
/// Elements of lists are `[*]`. Omits fields whose names a path cannot contain without quotes, and
/// managedFields. Returns nothing if `typed` does not begin with a dot.
std::vector<FieldPath> field_paths(const std::vector<ObjectPtr>& objects, std::string_view typed);

/// Returns the member names of the JSON objects at `path`, sorted. `path` consists of `.name` and
/// `[*]`.
std::set<std::string> member_names(const std::vector<ObjectPtr>& objects, std::string_view path);

}  // namespace kinf
