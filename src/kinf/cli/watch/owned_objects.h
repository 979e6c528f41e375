// SPDX-License-Identifier: Apache-2.0
// Reads the objects among which --tree looks for those that the roots own.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "kinf/api/object.h"

namespace kinf {

class Connection;
struct WatchPlan;

/// The objects that may be owned, and the types that could not be read.
struct OwnedObjects {
  std::vector<ObjectPtr> objects;
  std::vector<std::string> unread;  ///< `secrets (forbidden)`
  bool only_denied = true;          ///< whether the server denied all of `unread`
};

/// Lists all types that can be listed, except Events, in the namespaces of the plan; for
/// cluster-scoped roots, in all namespaces, and the cluster-scoped types too. A type that cannot be
/// read is left out. Blocks on one request per type and page. Errors: those of discovery; stopped.
Result<OwnedObjects> owned_objects(Connection& connection, const WatchPlan& plan,
                                   const std::stop_token& stop);

}  // namespace kinf
