// SPDX-License-Identifier: Apache-2.0
// The objects that controllers create from templates, as pure functions: the pods of DaemonSets and
// StatefulSets, the claims of StatefulSets, and the Jobs of CronJobs. Source: kubernetes
// pkg/controller (daemon, statefulset/stateful_set_utils.go, cronjob/utils.go).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Returns the new pod of a DaemonSet for a node. The pod tolerates the taints of nodes with
/// problems, such as not-ready.
Json daemon_pod(const Json& set, const std::string& hash, const std::string& node);
/// Returns the node of a DaemonSet's pod, even if the pod is not bound yet.
std::string node_of_daemon(const Json& pod);

/// Whether a DaemonSet should have a pod on a node.
struct DaemonPlacement {
  bool should_run = false;    ///< a missing pod is created
  bool may_continue = false;  ///< an existing pod stays
};
DaemonPlacement daemon_placement(const Json& set, const Json& node);

/// Returns the number of pods that may be unavailable in an update, at least 1.
std::int64_t daemon_unavailable_limit(const Json& set, std::int64_t nodes);

/// Returns how many of `nodes` may have two pods during an update.
std::int64_t daemon_surge_limit(const Json& set, std::int64_t nodes);

/// Returns the ordinal in the name of a StatefulSet's pod, such as 2 for `web-2`. Returns nullopt
/// if the name has none.
std::optional<std::int64_t> ordinal_of(const Json& set, const Json& pod);

/// Returns the new pod of a StatefulSet with this ordinal. `revision` is the name of the
/// ControllerRevision that contains `pod_template`.
Json stateful_pod(const Json& set, const Json& pod_template, const std::string& revision,
                  std::int64_t ordinal);
/// Returns the PersistentVolumeClaims of the pod with this ordinal.
std::vector<Json> stateful_claims(const Json& set, std::int64_t ordinal);

/// Returns the ordinal of a StatefulSet's first pod.
std::int64_t first_ordinal(const Json& set);
/// Returns the partition of a StatefulSet's update strategy. The pods below the partition keep the
/// previous template.
std::int64_t update_partition(const Json& set);

/// Returns the Job of a CronJob for a scheduled time.
Json job_of_template(const Json& cron, std::chrono::sys_seconds time);

}  // namespace kinf::sandbox
