// SPDX-License-Identifier: Apache-2.0
// The pods of DaemonSets, as pure functions.
// Source: kubernetes pkg/controller/daemon (daemon_controller.go, util/daemonset_util.go).
#pragma once

#include <string>

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Returns the new pod of a DaemonSet for a node. It tolerates the taints of nodes in trouble.
Json daemon_pod(const Json& set, const std::string& hash, const std::string& node);
/// Returns the node of a daemon pod, also if it is not bound yet.
std::string node_of_daemon(const Json& pod);

/// Whether a DaemonSet has a pod on a node.
struct DaemonPlacement {
  bool should_run = false;    ///< a missing pod is created
  bool may_continue = false;  ///< a pod that is there stays
};
DaemonPlacement daemon_placement(const Json& set, const Json& node);

/// Returns the number of pods that may be unavailable in an update, at least 1.
std::int64_t daemon_unavailable_limit(const Json& set, std::int64_t nodes);

/// Returns how many of `nodes` may have two pods during an update.
std::int64_t daemon_surge_limit(const Json& set, std::int64_t nodes);

}  // namespace kinf::sandbox
