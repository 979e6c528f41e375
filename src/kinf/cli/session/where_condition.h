// SPDX-License-Identifier: Apache-2.0
// The condition of --where for the informers of a command, and what its mistyped fields mean.
// Threads: any.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include "kinf/api/object.h"
#include "kinf/cli/selection/selection.h"
#include "kinf/query/condition.h"

namespace kinf {

struct PlannedInformer;
struct WatchPlan;

/// Returns the condition of --where for the objects of one informer. Calls `on_end` with an error
/// that ends the command.
Selection::Condition where_condition(const PlannedInformer& planned,
                                     const std::shared_ptr<Where>& where,
                                     const std::stop_token& stop,
                                     std::function<void(const Error&)> on_end);

/// If none of the objects has `path`, but one has a path in which one name differs by at most two
/// letters, returns that path. Fields are often absent for good reasons, such as
/// `.status.unavailableReplicas`, so a path that no object has is not reported by itself.
std::optional<JqReads::Path> meant_path(std::span<const ObjectPtr> objects,
                                        const JqReads::Path& path);

/// Logs each of the paths that means another one in the objects of `plan`.
void name_mistyped_fields(std::span<const JqReads::Path> paths, std::span<const ObjectPtr> objects,
                          const WatchPlan& plan);

}  // namespace kinf
