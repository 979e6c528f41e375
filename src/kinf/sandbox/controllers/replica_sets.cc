// SPDX-License-Identifier: Apache-2.0
// ReplicaSets: keeps the number of pods that each ReplicaSet asks for.
// Source: kubernetes pkg/controller/replicaset, controller_utils.go (ActivePodsWithRanks).
#include "kinf/sandbox/controllers/loops.h"

#include <algorithm>
#include <memory>
#include <tuple>

#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/owner_loop.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kReplicaSetComponent = "replicaset-controller";
/// The number of pods that one call creates or deletes at most.
constexpr std::int64_t kBurst = 500;

/// Returns whether all labels of the set's template are on the pod.
bool is_fully_labeled(const Json& set, const Json& pod) {
  const Json& wanted = field(set, "spec", "template", "metadata", "labels");
  const Json& labels = field(pod, "metadata", "labels");
  for (const auto& [key, value] : wanted.items()) {
    if (field(labels, key) != value) return false;
  }
  return true;
}

class ReplicaSets : public OwnerLoop {
 public:
  explicit ReplicaSets(Cluster& cluster)
      : OwnerLoop(cluster, "replicasets.apps", "pods", /*adopts=*/true) {}

 private:
  void reconcile(const ObjectId& id, const Json& set) override;
  Json status(const ObjectId& id, const Json& set, const std::vector<StoredPtr>& pods);
};

void ReplicaSets::reconcile(const ObjectId& id, const Json& set) {
  std::vector<StoredPtr> pods = children(id, set);
  const std::int64_t terminating = std::ranges::count_if(
      pods, [](const StoredPtr& pod) { return is_deleting(pod->json) && !has_ended(pod->json); });
  std::erase_if(pods, [](const StoredPtr& pod) { return !is_active_pod(pod->json); });
  if (!is_deleting(set)) {
    const std::int64_t wanted = integer_or(field(set, "spec", "replicas"), 1);
    const auto present = static_cast<std::int64_t>(pods.size());
    for (std::int64_t i = present; i < std::min(wanted, present + kBurst); ++i) {
      if (!create_child(set, pod_of_template(set, field(set, "spec", "template")),
                        kReplicaSetComponent)) {
        break;
      }
    }
    if (present > wanted) sort_for_deletion(pods);
    for (std::int64_t i = 0; i < std::min(present - wanted, kBurst); ++i) {
      delete_child(set, *pods[static_cast<std::size_t>(i)], kReplicaSetComponent);
    }
  }
  Json next = status(id, set, pods);
  next["terminatingReplicas"] = terminating;
  write_status(id, set, next);
}

Json ReplicaSets::status(const ObjectId& id, const Json& set, const std::vector<StoredPtr>& pods) {
  std::int64_t labeled = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  for (const StoredPtr& pod : pods) {
    labeled += is_fully_labeled(set, pod->json) ? 1 : 0;
    if (!is_ready_pod(pod->json)) continue;
    ++ready;
    available += is_available(id, set, pod->json) ? 1 : 0;
  }
  Json result = {{"replicas", pods.size()}};
  const auto add = [&](const char* key, std::int64_t count) {
    if (count > 0) result[key] = count;
  };
  add("fullyLabeledReplicas", labeled);
  add("readyReplicas", ready);
  add("availableReplicas", available);
  result["observedGeneration"] = integer_or(field(set, "metadata", "generation"), 0);
  const Json& conditions = field(set, "status", "conditions");
  if (!conditions.is_null()) result["conditions"] = conditions;
  return result;
}

}  // namespace

std::unique_ptr<ClusterController> replica_sets(Cluster& cluster) {
  return std::make_unique<ReplicaSets>(cluster);
}

}  // namespace kinf::sandbox
