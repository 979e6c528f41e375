// SPDX-License-Identifier: Apache-2.0
// GarbageCollector: deletes objects whose owners were deleted, and carries out foreground deletion
// and orphaning. A controller may create an object just after its owner was deleted: that one is
// deleted, too. Unlike the real one, it leaves objects alone whose owner it has never seen, because
// loaded manifests are often only a part of a cluster.
// Source: kubernetes pkg/controller/garbagecollector.
#include "kinf/sandbox/controllers/loops.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/cluster.h"
#include "kinf/sandbox/controllers/owner_loop.h"

namespace kinf::sandbox {
namespace {

/// The number of deleted objects that the collector remembers.
constexpr std::size_t kRemembered = 4096;

bool blocks(const Json& dependent, const std::string& owner) {
  const Json& owners = elements(field(dependent, "metadata", "ownerReferences"));
  return std::ranges::any_of(owners, [&](const Json& each) {
    return text(field(each, "uid")) == owner && field(each, "blockOwnerDeletion") == Json(true);
  });
}

class GarbageCollector : public ClusterController {
 public:
  explicit GarbageCollector(Cluster& cluster) : cluster_(cluster) {}

  void observe(const MirrorChange& change) override;
  void act() override;

 private:
  void note_deleted(const std::string& uid);
  void process_dependents(const std::string& gone);
  void process_owner(const std::string& uid);
  void drop_references(const ObjectId& id, const Json& dependent, const std::set<std::string>& to);

  Cluster& cluster_;
  std::set<std::string> gone_;            ///< uids of deleted owners to process
  std::set<std::string> deleted_;         ///< the uids of the last deleted objects
  std::deque<std::string> oldest_first_;  ///< the same
  std::set<std::string> ending_;          ///< uids of owners with a finalizer of the collector
};

void GarbageCollector::observe(const MirrorChange& change) {
  const bool is_gone = change.now == nullptr;
  const bool is_other =
      !is_gone && change.old != nullptr && uid_of(change.now->json) != uid_of(change.old->json);
  if (is_gone || is_other) note_deleted(uid_of(change.old->json));
  for (const StoredPtr& state : {change.now, change.old}) {
    if (state == nullptr) continue;
    if (state == change.now && is_deleting(state->json) && has_finalizers(state->json)) {
      ending_.insert(uid_of(state->json));
    }
    for (const Json& owner : elements(field(state->json, "metadata", "ownerReferences"))) {
      const std::string uid = text(field(owner, "uid"));
      const StoredPtr found = cluster_.mirror().find_uid(uid);
      if (found != nullptr && is_deleting(found->json)) ending_.insert(uid);
      if (state == change.now && deleted_.contains(uid)) gone_.insert(uid);
    }
  }
}

void GarbageCollector::note_deleted(const std::string& uid) {
  gone_.insert(uid);
  if (!deleted_.insert(uid).second) return;
  oldest_first_.push_back(uid);
  if (oldest_first_.size() <= kRemembered) return;
  deleted_.erase(oldest_first_.front());
  oldest_first_.pop_front();
}

void GarbageCollector::act() {
  for (const std::string& uid : std::exchange(gone_, {})) process_dependents(uid);
  for (const std::string& uid : std::exchange(ending_, {})) process_owner(uid);
}

/// Deletes the dependents of a deleted owner that have no other owner.
void GarbageCollector::process_dependents(const std::string& gone) {
  for (const auto& [id, dependent] : cluster_.mirror().dependents(gone)) {
    const Json& json = dependent->json;
    if (cluster_.is_scripted(id, json)) continue;
    bool has_owner = false;
    std::set<std::string> absent;
    for (const Json& owner : elements(field(json, "metadata", "ownerReferences"))) {
      const std::string uid = text(field(owner, "uid"));
      if (cluster_.mirror().find_uid(uid) != nullptr) {
        has_owner = true;
      } else {
        absent.insert(uid);
      }
    }
    if (has_owner) {
      drop_references(id, json, absent);
    } else if (!is_deleting(json)) {
      cluster_.remove(id, uid_of(json));
    }
  }
}

void GarbageCollector::process_owner(const std::string& uid) {
  const StoredPtr owner = cluster_.mirror().find_uid(uid);
  if (owner == nullptr || !is_deleting(owner->json)) return;
  const ObjectId id = cluster_.mirror().id_of(uid);
  const bool is_foreground = has_finalizer(owner->json, kForegroundFinalizer);
  const bool is_orphan = has_finalizer(owner->json, kOrphanFinalizer);
  if (!is_foreground && !is_orphan) return;
  bool is_blocked = false;
  for (const auto& [dependent_id, dependent] : cluster_.mirror().dependents(uid)) {
    const Json& json = dependent->json;
    if (cluster_.is_scripted(dependent_id, json)) continue;
    if (is_orphan) {
      drop_references(dependent_id, json, {uid});
      continue;
    }
    is_blocked = is_blocked || blocks(json, uid);
    if (is_deleting(json)) continue;
    const bool has_own = !cluster_.mirror().dependents(uid_of(json)).empty();
    cluster_.remove(dependent_id, uid_of(json), std::nullopt,
                    has_own ? Propagation::foreground : Propagation::background);
  }
  const auto let_go = [&](const char* finalizer) {
    cluster_.edit(kControllerManager, id, uid,
                  [&](Json& current) { drop_finalizer(current, finalizer); });
  };
  if (is_orphan) let_go(kOrphanFinalizer);
  if (is_foreground && !is_blocked) let_go(kForegroundFinalizer);
}

void GarbageCollector::drop_references(const ObjectId& id, const Json& dependent,
                                       const std::set<std::string>& to) {
  if (to.empty()) return;
  cluster_.edit(kControllerManager, id, uid_of(dependent), [&](Json& current) {
    Json kept = Json::array();
    for (const Json& owner : elements(field(current, "metadata", "ownerReferences"))) {
      if (!to.contains(text(field(owner, "uid")))) kept.push_back(owner);
    }
    current["metadata"].erase("ownerReferences");
    if (!kept.empty()) current["metadata"]["ownerReferences"] = std::move(kept);
  });
}

}  // namespace

std::unique_ptr<ClusterController> garbage_collector(Cluster& cluster) {
  return std::make_unique<GarbageCollector>(cluster);
}

}  // namespace kinf::sandbox
