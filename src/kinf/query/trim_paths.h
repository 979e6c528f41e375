// SPDX-License-Identifier: Apache-2.0
// Parses the paths of --drop and --keep.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "kinf/api/object_trim.h"
#include "kinf/base/error.h"

namespace kinf {

/// Returns which fields to leave out, or null if there are only managedFields to leave out or
/// nothing at all. managedFields are left out unless `keep_managed_fields` is true. Paths consist
/// of names and `[*]`, or are `annotation:KEY`. Fails with a usage error for other paths, and for
/// `drop` paths without which an object could not be identified.
Result<std::shared_ptr<const ObjectTrim>> parse_trim(std::span<const std::string> drop,
                                                     std::span<const std::string> keep,
                                                     bool keep_managed_fields);

}  // namespace kinf
