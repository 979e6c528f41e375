// SPDX-License-Identifier: Apache-2.0
// PodRemover: removes deleted pods that no kubelet of the sandbox runs: those of scenarios, those
// on nodes that do not exist, and all pods if the sandbox runs no controllers.
#pragma once

#include <functional>
#include <map>

#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {

class PodRemover : public ClusterController {
 public:
  using IsRun = std::function<bool(const ObjectId& id, const Json& pod)>;

  /// `is_run` returns true for pods that a kubelet runs.
  PodRemover(Cluster& cluster, ObjectService& objects, const ApiTypes& types, IsRun is_run);

  void observe(const MirrorChange& change) override;
  void act() override;
  Clock::Mono next() const override;

 private:
  void end(const ObjectKey& key);

  Cluster& cluster_;
  ObjectService& objects_;
  const ApiTypePtr type_;
  const IsRun is_run_;
  std::map<ObjectKey, Clock::Mono> ends_;  ///< removal times
};

}  // namespace kinf::sandbox
