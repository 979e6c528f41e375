// SPDX-License-Identifier: Apache-2.0
// PodRemover: removes deleted pods that no kubelet of the sandbox runs: those of scenarios that a
// client deletes, those on nodes that do not exist, and all pods if the sandbox runs no
// controllers.
#pragma once

#include <functional>
#include <map>

#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {

class PodRemover : public ClusterController {
 public:
  using IsLeftAlone = std::function<bool(const ObjectId& id, const Json& pod)>;

  /// `is_left_alone` returns true for pods that a kubelet runs or a scenario removes.
  PodRemover(Cluster& cluster, ObjectService& objects, const ApiTypes& types,
             IsLeftAlone is_left_alone);

  void observe(const MirrorChange& change) override;
  void act() override;
  Clock::Mono next() const override;

 private:
  void end(const ObjectKey& key);

  Cluster& cluster_;
  ObjectService& objects_;
  const ApiTypePtr type_;
  const IsLeftAlone is_left_alone_;
  std::map<ObjectKey, Clock::Mono> ends_;  ///< removal times
};

}  // namespace kinf::sandbox
