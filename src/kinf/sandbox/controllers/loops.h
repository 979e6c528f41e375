// SPDX-License-Identifier: Apache-2.0
// The loops that Controllers runs, one for each controller of a real cluster. Each class is in the
// .cc file with the name of its function here, and nothing else needs to know it.
#pragma once

#include <functional>
#include <memory>

#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {

std::unique_ptr<ClusterController> cron_jobs(Cluster& cluster);
std::unique_ptr<ClusterController> daemon_sets(Cluster& cluster);
std::unique_ptr<ClusterController> deployments(Cluster& cluster);
std::unique_ptr<ClusterController> garbage_collector(Cluster& cluster);
std::unique_ptr<ClusterController> jobs(Cluster& cluster);
std::unique_ptr<ClusterController> kubelet(Cluster& cluster);
std::unique_ptr<ClusterController> namespaces(Cluster& cluster);
std::unique_ptr<ClusterController> replica_sets(Cluster& cluster);
std::unique_ptr<ClusterController> scheduler(Cluster& cluster);
std::unique_ptr<ClusterController> stateful_sets(Cluster& cluster);

/// Returns whether the loop leaves a deleted pod to others: a kubelet runs it, or a scenario
/// removes it.
using IsLeftAlone = std::function<bool(const ObjectId& id, const Json& pod)>;
std::unique_ptr<ClusterController> pod_remover(Cluster& cluster, ObjectService& objects,
                                               const ApiTypes& types, IsLeftAlone is_left_alone);

/// Returns whether a kubelet of the sandbox runs this pod.
bool has_kubelet(Cluster& cluster, const ObjectId& id, const Json& pod);

}  // namespace kinf::sandbox
