// SPDX-License-Identifier: Apache-2.0
// PodRemover: removes deleted pods that no kubelet of the sandbox runs: those of scenarios that a
// client deletes, those on nodes that do not exist, and all pods if the sandbox runs no
// controllers.
#include "kinf/sandbox/controllers/loops.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {
namespace {

/// The time from a pod's deletion to its removal, at speed 1.
constexpr Cluster::Seconds kTermination(2);

class PodRemover : public ClusterController {
 public:
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

PodRemover::PodRemover(Cluster& cluster, ObjectService& objects, const ApiTypes& types,
                       IsLeftAlone is_left_alone)
    : cluster_(cluster),
      objects_(objects),
      type_(types.find("", "v1", "pods")),
      is_left_alone_(std::move(is_left_alone)) {}

void PodRemover::observe(const MirrorChange& change) {
  if (change.id.first != "pods" || change.now == nullptr || !is_deleting(change.now->json)) return;
  const Json& pod = change.now->json;
  if (is_left_alone_(change.id, pod)) return;
  const Json& grace = field(pod, "metadata", "deletionGracePeriodSeconds");
  const std::int64_t seconds = grace.is_number_integer() ? grace.get<std::int64_t>() : 0;
  const std::chrono::seconds most(std::clamp<std::int64_t>(seconds, 0, 86'400));
  ends_.try_emplace(change.id.second, cluster_.now() + std::min<Clock::Duration>(
                                                           cluster_.scaled(kTermination), most));
}

void PodRemover::act() {
  const Clock::Mono now = cluster_.now();
  for (auto each = ends_.begin(); each != ends_.end();) {
    if (each->second > now) {
      ++each;
      continue;
    }
    end(each->first);
    each = ends_.erase(each);
  }
}

/// Removes the pod. A pod with finalizers only gets a grace period of 0 and exists until its
/// finalizers are removed.
void PodRemover::end(const ObjectKey& key) {
  const ApiResult<StoredPtr> pod = objects_.get(*type_, key);
  if (!pod || !is_deleting((*pod)->json)) return;
  if (has_finalizers((*pod)->json)) {
    cluster_.remove({"pods", key}, uid_of((*pod)->json), 0);
  } else {
    objects_.erase(*type_, key);
  }
}

Clock::Mono PodRemover::next() const {
  Clock::Mono first = Clock::kNever;
  for (const auto& [key, end] : ends_) first = std::min(first, end);
  return first;
}

}  // namespace

std::unique_ptr<ClusterController> pod_remover(Cluster& cluster, ObjectService& objects,
                                               const ApiTypes& types, IsLeftAlone is_left_alone) {
  return std::make_unique<PodRemover>(cluster, objects, types, std::move(is_left_alone));
}

}  // namespace kinf::sandbox
