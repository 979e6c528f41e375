// SPDX-License-Identifier: Apache-2.0
// The paths of fields in objects that the built-in indices of `kinf index` read, and the paths of
// the flags --drop and --keep.
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

/// Parses the values of --drop and --keep. Returns the fields to leave out of objects, with
/// managedFields among them unless `keep_managed_fields` is true. Returns null if `drop` and `keep`
/// are empty. Paths consist of names and `[*]`, or are `annotation:KEY`. Fails with a usage error
/// for other paths, and for `drop` paths that identify an object, such as `.metadata.name`.
Result<std::shared_ptr<const ObjectTrim>> parse_trim(std::span<const std::string> drop,
                                                     std::span<const std::string> keep,
                                                     bool keep_managed_fields);

}  // namespace kinf
