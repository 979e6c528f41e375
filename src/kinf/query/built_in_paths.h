// SPDX-License-Identifier: Apache-2.0
// Where the values of the built-in indices stand: in pods, and in what makes pods.
#pragma once

#include <string_view>
#include <vector>

#include "kinf/api/object_path.h"

namespace kinf {

/// The paths of `@image` and the like; none for a name that is no such index.
std::vector<ObjectPath> built_in_paths(std::string_view name);

/// The names for which there are paths.
std::vector<std::string_view> names_with_paths();

/// `a.b[*].c` as a path: names and `[*]` only.
ObjectPath simple_path(std::string_view text);

}  // namespace kinf
