// SPDX-License-Identifier: Apache-2.0
// StatefulSets: keeps pods with numbers, from the first to the last. OrderedReady waits for each
// pod before it creates the next one. An update replaces one pod at a time, the last one first.
// Claims stay when pods are deleted, which is the default of persistentVolumeClaimRetentionPolicy;
// other values have no effect. Source: kubernetes
// pkg/controller/statefulset/stateful_set_control.go.
#include "kinf/sandbox/controllers/loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/owner_loop.h"
#include "kinf/sandbox/controllers/template_history.h"
#include "kinf/sandbox/controllers/templates.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kStatefulComponent = "statefulset-controller";
/// The number of pods that a set has at most. It bounds the memory of a view.
constexpr std::int64_t kMaxReplicas = 100'000;

std::string revision_of_pod(const StoredPtr& pod) {
  return text(field(pod->json, "metadata", "labels", kRevisionHash));
}

std::int64_t wanted_replicas(const Json& set) {
  return std::clamp<std::int64_t>(integer_or(field(set, "spec", "replicas"), 1), 0, kMaxReplicas);
}

class StatefulSets : public OwnerLoop {
 public:
  explicit StatefulSets(Cluster& cluster)
      : OwnerLoop(cluster, "statefulsets.apps", "pods", /*adopts=*/true),
        history_(cluster, "controller.kubernetes.io/hash") {}

 private:
  struct View {
    const ObjectId& id;
    const Json& set;
    StoredPtr current;  ///< the revision before an update
    StoredPtr update;   ///< the revision of the template
    bool is_ordered = true;
    std::vector<StoredPtr> replicas;   ///< by number; null: missing
    std::vector<StoredPtr> condemned;  ///< those that are too many, the last one first
  };

  void reconcile(const ObjectId& id, const Json& set) override;
  View view_of(const ObjectId& id, const Json& set);
  /// Creates missing pods. Returns false if the rest has to wait.
  bool fill(const View& view);
  /// Deletes pods that are too many. Returns false if the rest has to wait.
  bool shrink(const View& view);
  /// Replaces an old pod. Returns whether it has.
  bool roll(const View& view);
  void create(const View& view, std::int64_t index);
  void remove(const View& view, const StoredObject& pod);
  bool is_healthy(const View& view, const StoredPtr& pod);
  StoredPtr first_unhealthy(const View& view);
  /// `rolled`: the pod that roll() deletes no longer counts as current.
  Json status(const View& view, bool rolled);
  void report(const View& view, const std::string& verb, const std::string& what);
  std::set<std::string> used_revisions(const View& view) const;

  TemplateHistory history_;
};

void StatefulSets::reconcile(const ObjectId& id, const Json& set) {
  const View view = view_of(id, set);
  if (view.update == nullptr && !is_deleting(set)) return;
  const bool rolled = !is_deleting(set) && fill(view) && shrink(view) && roll(view);
  write_status(id, set, status(view, rolled));
  if (!is_deleting(set)) history_.trim(set, used_revisions(view));
}

StatefulSets::View StatefulSets::view_of(const ObjectId& id, const Json& set) {
  const auto named = [&](const char* member) {
    return history_.named(set, text(field(set, "status", member)));
  };
  // The revisions of a set that is being deleted are deleted, too: it gets no new ones.
  View view{id,
            set,
            named("currentRevision"),
            is_deleting(set) ? named("updateRevision") : history_.current(set),
            true,
            {},
            {}};
  if (view.current == nullptr) view.current = view.update;
  view.is_ordered = text(field(set, "spec", "podManagementPolicy")) != "Parallel";
  view.replicas.resize(static_cast<std::size_t>(wanted_replicas(set)));
  for (const StoredPtr& pod : children(id, set)) {
    const auto ordinal = ordinal_of(set, pod->json);
    if (!ordinal) continue;
    const std::int64_t index = *ordinal - first_ordinal(set);
    if (index >= 0 && index < std::ssize(view.replicas)) {
      view.replicas[static_cast<std::size_t>(index)] = pod;
    } else {
      view.condemned.push_back(pod);
    }
  }
  std::ranges::sort(view.condemned, std::ranges::greater(),
                    [&](const StoredPtr& pod) { return ordinal_of(set, pod->json).value_or(0); });
  return view;
}

bool StatefulSets::is_healthy(const View& view, const StoredPtr& pod) {
  return pod != nullptr && !is_deleting(pod->json) && is_available(view.id, view.set, pod->json);
}

StoredPtr StatefulSets::first_unhealthy(const View& view) {
  for (const StoredPtr& pod : view.replicas) {
    if (!is_healthy(view, pod)) return pod;
  }
  for (auto pod = view.condemned.rbegin(); pod != view.condemned.rend(); ++pod) {
    if (!is_healthy(view, *pod)) return *pod;
  }
  return nullptr;
}

bool StatefulSets::fill(const View& view) {
  for (std::int64_t index = 0; index < std::ssize(view.replicas); ++index) {
    const StoredPtr& pod = view.replicas[static_cast<std::size_t>(index)];
    if (pod == nullptr) {
      create(view, index);
    } else if (has_ended(pod->json)) {
      if (!is_deleting(pod->json)) remove(view, *pod);
    } else if (!view.is_ordered || is_healthy(view, pod)) {
      continue;
    }
    if (view.is_ordered) return false;
  }
  return true;
}

bool StatefulSets::shrink(const View& view) {
  const StoredPtr unhealthy = view.condemned.empty() ? nullptr : first_unhealthy(view);
  for (const StoredPtr& pod : view.condemned) {
    const bool ends = is_deleting(pod->json);
    const bool must_wait = view.is_ordered && !is_healthy(view, pod) && pod != unhealthy;
    if (!ends && !must_wait) remove(view, *pod);
    if (view.is_ordered) return false;
  }
  return true;
}

/// Replaces the last pod that does not have the current template, if all after it are available.
bool StatefulSets::roll(const View& view) {
  if (text(field(view.set, "spec", "updateStrategy", "type")) == "OnDelete") return false;
  const std::int64_t last = update_partition(view.set);
  for (std::int64_t index = std::ssize(view.replicas) - 1; index >= last; --index) {
    const StoredPtr& pod = view.replicas[static_cast<std::size_t>(index)];
    if (pod == nullptr) return false;
    if (!is_deleting(pod->json) && revision_of_pod(pod) != view.update->key.name) {
      remove(view, *pod);
      return true;
    }
    if (!is_healthy(view, pod)) return false;
  }
  return false;
}

/// Creates a pod after its claims. Numbers below the partition keep the previous template.
void StatefulSets::create(const View& view, std::int64_t index) {
  const std::int64_t ordinal = index + first_ordinal(view.set);
  const bool keeps = text(field(view.set, "spec", "updateStrategy", "type")) != "OnDelete" &&
                     index < update_partition(view.set);
  const StoredObject& revision = keeps ? *view.current : *view.update;
  Json pod =
      stateful_pod(view.set, template_of_revision(revision.json), revision.key.name, ordinal);
  pod["metadata"]["ownerReferences"] = Json::array({controller_reference_to(view.set)});
  const std::string name = text(field(pod, "metadata", "name"));
  const std::string place = fmt::format("Pod {} in StatefulSet {}", name, view.id.second.name);
  for (Json& claim : stateful_claims(view.set, ordinal)) {
    const std::string claim_name = text(field(claim, "metadata", "name"));
    if (cluster_.mirror().find("persistentvolumeclaims", {view.id.second.ns, claim_name})) continue;
    if (cluster_.create(kControllerManager, std::move(claim)) == nullptr) return;
    report(view, "Create", fmt::format("Claim {} {} success", claim_name, place));
  }
  if (cluster_.create(kControllerManager, std::move(pod)) != nullptr) {
    report(view, "Create", place + " successful");
  }
}

void StatefulSets::remove(const View& view, const StoredObject& pod) {
  if (!cluster_.remove({"pods", pod.key}, uid_of(pod.json))) return;
  report(view, "Delete",
         fmt::format("Pod {} in StatefulSet {} successful", pod.key.name, view.id.second.name));
}

void StatefulSets::report(const View& view, const std::string& verb, const std::string& what) {
  cluster_.report(view.set, {.reason = "Successful" + verb,
                             .message = verb + " " + what,
                             .component = kStatefulComponent});
}

std::set<std::string> StatefulSets::used_revisions(const View& view) const {
  std::set<std::string> used = {view.current->key.name, view.update->key.name};
  for (const auto* list : {&view.replicas, &view.condemned}) {
    for (const StoredPtr& pod : *list) {
      if (pod != nullptr) used.insert(revision_of_pod(pod));
    }
  }
  return used;
}

Json StatefulSets::status(const View& view, bool rolled) {
  // The revisions of a set that is being deleted are deleted before it.
  const auto name_of = [&](const StoredPtr& revision, const char* member) {
    return revision == nullptr ? text(field(view.set, "status", member)) : revision->key.name;
  };
  std::string current = name_of(view.current, "currentRevision");
  const std::string update = name_of(view.update, "updateRevision");
  std::int64_t present = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::int64_t at_current = 0;
  std::int64_t at_update = 0;
  for (const auto* list : {&view.replicas, &view.condemned}) {
    for (const StoredPtr& pod : *list) {
      if (pod == nullptr) continue;
      ++present;
      ready += is_ready_pod(pod->json) ? 1 : 0;
      available += is_available(view.id, view.set, pod->json) ? 1 : 0;
      if (is_deleting(pod->json)) continue;
      at_current += revision_of_pod(pod) == current ? 1 : 0;
      at_update += revision_of_pod(pod) == update ? 1 : 0;
    }
  }
  if (rolled) at_current = std::max<std::int64_t>(0, at_current - 1);
  const bool rolls = text(field(view.set, "spec", "updateStrategy", "type")) != "OnDelete";
  const std::int64_t wanted = std::ssize(view.replicas);
  if (rolls && at_update == wanted && ready == wanted && present == wanted) {
    at_current = at_update;
    current = update;
  }
  Json result = {{"observedGeneration", integer_or(field(view.set, "metadata", "generation"), 0)},
                 {"replicas", present}};
  if (ready > 0) result["readyReplicas"] = ready;
  if (at_current > 0) result["currentReplicas"] = at_current;
  if (at_update > 0) result["updatedReplicas"] = at_update;
  result["currentRevision"] = current;
  result["updateRevision"] = update;
  result["collisionCount"] = 0;
  result["availableReplicas"] = available;
  return result;
}

}  // namespace

std::unique_ptr<ClusterController> stateful_sets(Cluster& cluster) {
  return std::make_unique<StatefulSets>(cluster);
}

}  // namespace kinf::sandbox
