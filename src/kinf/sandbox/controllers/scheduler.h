// SPDX-License-Identifier: Apache-2.0
// Scheduler: binds new pods to nodes, as kube-scheduler does. It obeys cordons, taints, node
// selectors and the node names of affinities, and otherwise chooses the node with the fewest pods.
// It does not count resources.
#pragma once

#include <map>
#include <set>
#include <string>

#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {

/// Returns why the pod cannot run on the node, such as `node(s) were unschedulable`, or an empty
/// string.
std::string node_refusal(const Json& pod, const Json& node);

/// Returns the node that the pod's node affinity names, or an empty string. DaemonSets bind their
/// pods in this way.
std::string required_node(const Json& pod);

class Scheduler : public ClusterController {
 public:
  explicit Scheduler(Cluster& cluster) : cluster_(cluster) {}

  void observe(const MirrorChange& change) override;
  void act() override;

 private:
  void place(const ObjectId& id, const Json& pod);
  int load(const std::string& node) const;
  void refuse(const ObjectId& id, const Json& pod, const std::string& reason,
              const std::string& message);

  Cluster& cluster_;
  std::set<ObjectKey> waiting_;         ///< pods without a node
  std::map<std::string, int> pods_on_;  ///< number of pods by node, in the mirror
  std::map<std::string, int> placed_;   ///< pods that act() has bound since then
  bool must_try_ = false;               ///< a pod or a node has changed
};

}  // namespace kinf::sandbox
