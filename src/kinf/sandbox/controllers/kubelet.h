// SPDX-License-Identifier: Apache-2.0
// Kubelet: takes the pods of the sandbox's nodes through their lives. Leaves the pods of other
// nodes and of scenarios alone.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kinf/sandbox/controllers/cluster.h"
#include "kinf/sandbox/controllers/pod_life.h"

namespace kinf::sandbox {

class Kubelet : public ClusterController {
 public:
  explicit Kubelet(Cluster& cluster) : cluster_(cluster) {}

  /// Returns true if a kubelet of the sandbox runs this pod.
  static bool runs(Cluster& cluster, const ObjectId& id, const Json& pod);

  void observe(const MirrorChange& change) override;
  void act() override;
  Clock::Mono next() const override;

 private:
  struct Resident {
    PodLife life;
    std::string uid;
    std::string node;
    Clock::Mono at = Clock::kNever;  ///< its entry in due_
  };

  Resident* resident_of(const ObjectKey& key, const StoredObject& pod);
  void evict(const std::string& node);
  void step(const ObjectKey& key);
  void report(const Resident& resident, const Json& pod, const std::vector<PodNote>& notes);
  void schedule(const ObjectKey& key, Resident& resident);
  void forget(const ObjectKey& key);
  std::string free_address();

  Cluster& cluster_;
  std::map<ObjectKey, Resident> residents_;
  std::set<std::pair<Clock::Mono, ObjectKey>> due_;
  std::set<ObjectKey> changed_;           ///< pods that were changed since the last act()
  std::set<std::string> lost_nodes_;      ///< nodes that were deleted since the last act()
  std::multiset<std::string> addresses_;  ///< of all pods
  unsigned last_address_ = 0;
};

}  // namespace kinf::sandbox
