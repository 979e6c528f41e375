// SPDX-License-Identifier: Apache-2.0
// ReplicaSets: keeps the number of pods that each ReplicaSet asks for.
// Source: kubernetes pkg/controller/replicaset, controller_utils.go (ActivePodsWithRanks).
#pragma once

#include "kinf/sandbox/controllers/owner_loop.h"

namespace kinf::sandbox {

class ReplicaSets : public OwnerLoop {
 public:
  explicit ReplicaSets(Cluster& cluster)
      : OwnerLoop(cluster, "replicasets.apps", "pods", /*adopts=*/true) {}

 private:
  void reconcile(const ObjectId& id, const Json& set) override;
  Json status(const ObjectId& id, const Json& set, const std::vector<StoredPtr>& pods);
};

/// Sorts pods so that those to delete first are first: without a node, pending, not ready, most
/// recently created.
void sort_for_deletion(std::vector<StoredPtr>& pods);

}  // namespace kinf::sandbox
