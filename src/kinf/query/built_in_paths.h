// SPDX-License-Identifier: Apache-2.0
// Paths into objects: those of the built-in indices, in pods and in the kinds that create pods, and
// those of --drop and --keep.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object_path.h"
#include "kinf/api/object_trim.h"
#include "kinf/base/error.h"

namespace kinf {

/// Returns the paths of a built-in index such as `@image`. Returns none for other names.
std::vector<ObjectPath> built_in_paths(std::string_view name);

/// Returns the names of the built-in indices for which built_in_paths() returns paths.
std::vector<std::string_view> names_with_paths();

/// Parses a path such as `a.b[*].c`. Supports only names and `[*]`.
ObjectPath simple_path(std::string_view text);

/// Returns which fields to leave out, or null if there are only managedFields to leave out or
/// nothing at all. managedFields are left out unless `keep_managed_fields` is true. Paths consist
/// of names and `[*]`, or are `annotation:KEY`. Fails with a usage error for other paths, and for
/// `drop` paths without which an object could not be identified.
Result<std::shared_ptr<const ObjectTrim>> parse_trim(std::span<const std::string> drop,
                                                     std::span<const std::string> keep,
                                                     bool keep_managed_fields);

}  // namespace kinf
