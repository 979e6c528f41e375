// SPDX-License-Identifier: Apache-2.0
// Finds the field that a mistyped path of --where means. Pure function. Threads: any.
#pragma once

#include <optional>
#include <span>

#include "kinf/api/object.h"
#include "kinf/query/jq.h"

namespace kinf {

/// If none of the objects has `path`, but one has a path in which one name differs by at most two
/// letters, returns that path. Fields are often absent for good reasons, such as
/// `.status.unavailableReplicas`, so a path that no object has is not reported by itself.
std::optional<JqReads::Path> meant_path(std::span<const ObjectPtr> objects,
                                        const JqReads::Path& path);

}  // namespace kinf
