// SPDX-License-Identifier: Apache-2.0
// GarbageCollector: deletes objects whose owners were deleted, and carries out foreground deletion
// and orphaning. Also deletes an object that a controller creates just after the owner was deleted.
// Unlike the real collector, it does not delete objects whose owner it has never seen, because
// loaded manifests are often only a part of a cluster.
// Source: kubernetes pkg/controller/garbagecollector.
#include "kinf/sandbox/controllers/owner_loop.h"

#include <deque>

#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {
namespace {

/// The number of deleted objects that the collector remembers.
constexpr std::size_t kRemembered = 4096;

bool blocks(const Json& dependent, const std::string& owner) {
  return std::ranges::any_of(owners_of(dependent), [&](const Json& each) {
    return text(field(each, "uid")) == owner && field(each, "blockOwnerDeletion") == Json(true);
  });
}

class GarbageCollector : public ClusterController {
 public:
  using ClusterController::ClusterController;

  void observe(const MirrorChange& change) override {
    if (const std::string gone = change.gone_uid(); !gone.empty()) note_deleted(gone);
    for (const StoredPtr& state : {change.now, change.old}) {
      if (state == nullptr) continue;
      if (state == change.now && is_deleting(state->json) && has_finalizers(state->json)) {
        ending_.insert(uid_of(state->json));
      }
      for (const Json& owner : owners_of(state->json)) {
        const std::string uid = text(field(owner, "uid"));
        const StoredPtr found = cluster_.mirror().find_uid(uid);
        if (found != nullptr && is_deleting(found->json)) ending_.insert(uid);
        if (state == change.now && deleted_.contains(uid)) gone_.insert(uid);
      }
    }
  }

  void act() override {
    for (const std::string& uid : std::exchange(gone_, {})) process_dependents(uid);
    for (const std::string& uid : std::exchange(ending_, {})) process_owner(uid);
  }

 private:
  void note_deleted(const std::string& uid) {
    gone_.insert(uid);
    if (!deleted_.insert(uid).second) return;
    oldest_first_.push_back(uid);
    if (oldest_first_.size() <= kRemembered) return;
    deleted_.erase(oldest_first_.front());
    oldest_first_.pop_front();
  }

  /// Deletes the dependents of a deleted owner, except dependents that have another owner.
  void process_dependents(const std::string& gone) {
    for (const auto& [id, dependent] : cluster_.mirror().dependents(gone)) {
      const Json& json = dependent->json;
      if (cluster_.is_scripted(id.first, json)) continue;
      bool has_owner = false;
      std::set<std::string> absent;
      for (const Json& owner : owners_of(json)) {
        const std::string uid = text(field(owner, "uid"));
        if (cluster_.mirror().find_uid(uid) != nullptr) {
          has_owner = true;
        } else {
          absent.insert(uid);
        }
      }
      if (has_owner) {
        drop_references(id.first, json, absent);
      } else if (!is_deleting(json)) {
        cluster_.remove(id.first, json);
      }
    }
  }

  void process_owner(const std::string& uid) {
    const StoredPtr owner = cluster_.mirror().find_uid(uid);
    if (owner == nullptr || !is_deleting(owner->json)) return;
    const bool is_foreground = has_finalizer(owner->json, kForegroundFinalizer);
    const bool is_orphan = has_finalizer(owner->json, kOrphanFinalizer);
    if (!is_foreground && !is_orphan) return;
    bool is_blocked = false;
    for (const auto& [id, dependent] : cluster_.mirror().dependents(uid)) {
      const Json& json = dependent->json;
      if (cluster_.is_scripted(id.first, json)) continue;
      if (is_orphan) {
        drop_references(id.first, json, {uid});
        continue;
      }
      is_blocked = is_blocked || blocks(json, uid);
      if (is_deleting(json)) continue;
      const bool has_own = !cluster_.mirror().dependents(uid_of(json)).empty();
      cluster_.remove(id.first, json, std::nullopt,
                      has_own ? Propagation::foreground : Propagation::background);
    }
    const auto let_go = [&](const char* finalizer) {
      cluster_.edit(cluster_.mirror().id_of(uid).first, owner->json,
                    [&](Json& current) { drop_finalizer(current, finalizer); });
    };
    if (is_orphan) let_go(kOrphanFinalizer);
    if (is_foreground && !is_blocked) let_go(kForegroundFinalizer);
  }

  void drop_references(const std::string& type, const Json& dependent,
                       const std::set<std::string>& to) {
    if (to.empty()) return;
    cluster_.edit(type, dependent, [&](Json& current) {
      drop_items(current, "ownerReferences",
                 [&](const Json& owner) { return to.contains(text(field(owner, "uid"))); });
    });
  }

  std::set<std::string> gone_;            ///< uids of deleted owners to process
  std::set<std::string> deleted_;         ///< the uids of the most recently deleted objects
  std::deque<std::string> oldest_first_;  ///< the uids in deleted_, oldest first
  std::set<std::string> ending_;          ///< uids of owners with a finalizer of the collector
};

}  // namespace

std::unique_ptr<ClusterController> garbage_collector(Cluster& cluster) {
  return std::make_unique<GarbageCollector>(cluster);
}

}  // namespace kinf::sandbox
