// SPDX-License-Identifier: Apache-2.0
// PodRemover: removes deleted pods that no kubelet of the sandbox runs: pods of scenarios if a
// client deletes them, pods on nodes that do not exist, and all pods if the sandbox runs no
// controllers.
#include "kinf/sandbox/controllers/cluster.h"

#include <algorithm>
#include <utility>

#include "kinf/sandbox/api/object_deletion.h"

namespace kinf::sandbox {
namespace {

/// The time from a pod's deletion to its removal, at speed 1. The grace period of the pod can make
/// it shorter.
constexpr Cluster::Seconds kTermination(2);

class PodRemover : public ClusterController {
 public:
  PodRemover(Cluster& cluster, IsLeftAlone is_left_alone)
      : ClusterController(cluster), is_left_alone_(std::move(is_left_alone)) {}

  void observe(const MirrorChange& change) override {
    if (change.id.first != "pods" || change.now == nullptr) return;
    const Json& pod = change.now->json;
    if (!is_deleting(pod) || is_left_alone_(pod)) return;
    const std::chrono::seconds most(std::clamp<std::int64_t>(
        integer_or(field(pod, "metadata", "deletionGracePeriodSeconds"), 0), 0, 86'400));
    ends_.try_emplace(change.id.second, cluster_.now() + std::min<Clock::Duration>(
                                                             cluster_.scaled(kTermination), most));
  }

  void act() override {
    std::erase_if(ends_, [&, now = cluster_.now()](const auto& entry) {
      const bool is_due = entry.second <= now;
      if (is_due) end({"pods", entry.first});
      return is_due;
    });
  }

  Clock::Mono next() const override {
    Clock::Mono first = Clock::kNever;
    for (const auto& [key, end] : ends_) first = std::min(first, end);
    return first;
  }

 private:
  /// Removes the pod. If the pod has finalizers, only sets its grace period to 0, so that it exists
  /// until its finalizers are removed.
  void end(const ObjectId& id) {
    const StoredPtr pod = cluster_.stored(id);
    if (pod == nullptr || !is_deleting(pod->json)) return;
    if (has_finalizers(pod->json)) {
      cluster_.remove("pods", pod->json, 0);
    } else {
      cluster_.erase(id);
    }
  }

  const IsLeftAlone is_left_alone_;
  std::map<ObjectKey, Clock::Mono> ends_;  ///< removal times of deleted pods
};

}  // namespace

std::unique_ptr<ClusterController> pod_remover(Cluster& cluster, IsLeftAlone is_left_alone) {
  return std::make_unique<PodRemover>(cluster, std::move(is_left_alone));
}

}  // namespace kinf::sandbox
