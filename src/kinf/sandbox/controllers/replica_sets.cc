// SPDX-License-Identifier: Apache-2.0
// ReplicaSets: keeps the number of pods that each ReplicaSet specifies.
// Source: kubernetes pkg/controller/replicaset, controller_utils.go (ActivePodsWithRanks).
#include "kinf/sandbox/controllers/owner_loop.h"

#include "kinf/sandbox/api/object_deletion.h"

namespace kinf::sandbox {
namespace {

/// The maximum number of pods that one call of reconcile() creates or deletes.
constexpr std::int64_t kBurst = 500;

/// Returns whether the pod has all labels of the template in `set`.
bool is_fully_labeled(const Json& set, const Json& pod) {
  return has_members(field(pod, "metadata", "labels"),
                     field(set, "spec", "template", "metadata", "labels"));
}

class ReplicaSets : public OwnerLoop {
 public:
  explicit ReplicaSets(Cluster& cluster)
      : OwnerLoop(cluster, "replicasets.apps", "pods", "replicaset-controller", /*adopts=*/true) {}

 private:
  void reconcile(const Json& set) override {
    std::vector<StoredPtr> pods = children(set);
    const std::int64_t terminating =
        std::ranges::count_if(pods, [](const StoredPtr& pod) { return is_leaving_pod(pod->json); });
    std::erase_if(pods, [](const StoredPtr& pod) { return !is_active_pod(pod->json); });
    if (!is_deleting(set)) {
      const std::int64_t wanted = integer_or(field(set, "spec", "replicas"), 1);
      const std::int64_t present = std::ssize(pods);
      for (std::int64_t i = present; i < std::min(wanted, present + kBurst); ++i) {
        if (!create_child(set, pod_of_template(set, field(set, "spec", "template")))) break;
      }
      if (present > wanted) sort_for_deletion(pods);
      for (const StoredPtr& pod : first_of(pods, std::min(present - wanted, kBurst))) {
        delete_child(set, *pod);
      }
    }
    Json next = status(set, pods);
    next["terminatingReplicas"] = terminating;
    write_status(set, next);
  }

  Json status(const Json& set, const std::vector<StoredPtr>& pods) {
    std::int64_t labeled = 0;
    std::int64_t ready = 0;
    std::int64_t available = 0;
    for (const StoredPtr& pod : pods) {
      labeled += is_fully_labeled(set, pod->json) ? 1 : 0;
      if (!is_ready_pod(pod->json)) continue;
      ++ready;
      available += is_available(set, pod->json) ? 1 : 0;
    }
    Json result = {{"replicas", pods.size()}};
    set_count(result, "fullyLabeledReplicas", labeled);
    set_count(result, "readyReplicas", ready);
    set_count(result, "availableReplicas", available);
    result["observedGeneration"] = integer_or(field(set, "metadata", "generation"), 0);
    const Json& conditions = field(set, "status", "conditions");
    if (!conditions.is_null()) result["conditions"] = conditions;
    return result;
  }
};

}  // namespace

std::unique_ptr<ClusterController> replica_sets(Cluster& cluster) {
  return std::make_unique<ReplicaSets>(cluster);
}

}  // namespace kinf::sandbox
