// SPDX-License-Identifier: Apache-2.0
// The paths of the built-in indices, in pods and in the kinds that create pods.
#pragma once

#include <string_view>
#include <vector>

#include "kinf/api/object_path.h"

namespace kinf {

/// Returns the paths of a built-in index such as `@image`. Returns none for other names.
std::vector<ObjectPath> built_in_paths(std::string_view name);

/// Returns the names of the built-in indices for which built_in_paths() returns paths.
std::vector<std::string_view> names_with_paths();

/// Parses a path such as `a.b[*].c`. Supports only names and `[*]`.
ObjectPath simple_path(std::string_view text);

}  // namespace kinf
