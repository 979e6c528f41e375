// SPDX-License-Identifier: Apache-2.0
// The paths of the built-in indices: in pods, and in the kinds that make pods.
#pragma once

#include <string_view>
#include <vector>

#include "kinf/api/object_path.h"

namespace kinf {

/// Returns the paths of a built-in index such as `@image`; none for any other name.
std::vector<ObjectPath> built_in_paths(std::string_view name);

/// Returns the names that have paths.
std::vector<std::string_view> names_with_paths();

/// Returns `a.b[*].c` as a path. Names and `[*]` only.
ObjectPath simple_path(std::string_view text);

}  // namespace kinf
