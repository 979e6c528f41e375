// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/kubelet.h"

#include <algorithm>

#include "kinf/sandbox/api/object_deletion.h"

namespace kinf::sandbox {

Kubelet::Kubelet(ResourceStore& store, ObjectService& objects, const ApiTypes& types, Clock& clock,
                 Clock::Duration after)
    : store_(store), objects_(objects), types_(types), clock_(clock), after_(after) {}

void Kubelet::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Kubelet::run(const std::stop_token& stop) {
  const ApiTypePtr pods = types_.find("", "v1", "pods");
  std::uint64_t version = 0;
  std::uint64_t bookmark_rounds = store_.bookmark_rounds();
  bool must_list = true;
  while (!stop.stop_requested()) {
    if (must_list) {
      const Snapshot snapshot = store_.list(pods->storage_key());
      version = snapshot.version;
      for (const StoredPtr& pod : snapshot.objects) note(*pod);
    }
    const ChangeBatch batch =
        store_.wait_changes(pods->storage_key(), version, bookmark_rounds, next(), stop);
    for (const Change& change : batch.changes) {
      if (change.type != ChangeType::deleted) note(*change.object);
    }
    must_list = batch.expired;
    bookmark_rounds = batch.bookmark_rounds;
    version = batch.version;
    end_pods(*pods);
  }
}

void Kubelet::note(const StoredObject& pod) {
  if (!is_deleting(pod.json)) return;
  const Json& grace = field(pod.json, "metadata", "deletionGracePeriodSeconds");
  const std::int64_t seconds = grace.is_number_integer() ? grace.get<std::int64_t>() : 0;
  const std::chrono::seconds most(std::clamp<std::int64_t>(seconds, 0, 86'400));
  ends_.try_emplace(pod.key, clock_.now() + std::min<Clock::Duration>(after_, most));
}

/// Removes the pods that are due. A pod with finalizers only gets a grace period of 0 and exists
/// until its finalizers are removed.
void Kubelet::end_pods(const ApiType& type) {
  const Clock::Mono now = clock_.now();
  for (auto each = ends_.begin(); each != ends_.end();) {
    if (each->second > now) {
      ++each;
      continue;
    }
    const ApiResult<StoredPtr> pod = objects_.get(type, each->first);
    if (pod && is_deleting((*pod)->json)) {
      DeleteOptions at_once;
      at_once.grace_seconds = 0;
      at_once.uid = text(field((*pod)->json, "metadata", "uid"));
      if (has_finalizers((*pod)->json)) {
        (void)objects_.remove(type, each->first, at_once);
      } else {
        objects_.erase(type, each->first);
      }
    }
    each = ends_.erase(each);
  }
}

Clock::Mono Kubelet::next() const {
  Clock::Mono first = Clock::kNever;
  for (const auto& [key, end] : ends_) first = std::min(first, end);
  return first;
}

}  // namespace kinf::sandbox
