// SPDX-License-Identifier: Apache-2.0
// StatefulSets: keeps numbered pods, and creates them from the first to the last. With
// OrderedReady, it waits until a pod is available before it creates the next pod. An update
// replaces one pod at a time, from the last to the first. Claims stay when pods are deleted, which
// is the default of persistentVolumeClaimRetentionPolicy; other values have no effect. Source:
// kubernetes pkg/controller/statefulset/stateful_set_control.go.
#include "kinf/sandbox/controllers/owner_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "kinf/base/limits.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/template_history.h"
#include "kinf/sandbox/controllers/templates.h"

namespace kinf::sandbox {
namespace {

std::string revision_of_pod(const StoredPtr& pod) {
  return text(field(pod->json, "metadata", "labels", kRevisionHash));
}

std::int64_t wanted_replicas(const Json& set) {
  return std::clamp<std::int64_t>(integer_or(field(set, "spec", "replicas"), 1), 0,
                                  limits::kReplicas);
}

class StatefulSets : public OwnerLoop {
 public:
  explicit StatefulSets(Cluster& cluster)
      : OwnerLoop(cluster, "statefulsets.apps", "pods", "statefulset-controller", /*adopts=*/true),
        history_(cluster, "controller.kubernetes.io/hash") {}

 private:
  struct View {
    const Json& set;
    StoredPtr current{};  ///< the revision before an update
    StoredPtr update{};   ///< the revision of the current template
    bool is_ordered = true;
    std::vector<StoredPtr> replicas{};   ///< pods by number; null if a pod is missing
    std::vector<StoredPtr> condemned{};  ///< surplus pods, the highest number first

    std::vector<StoredPtr> pods() const {
      std::vector<StoredPtr> result = replicas;
      result.insert(result.end(), condemned.begin(), condemned.end());
      std::erase(result, nullptr);
      return result;
    }
  };

  void reconcile(const Json& set) override {
    const View view = view_of(set);
    if (view.update == nullptr && !is_deleting(set)) return;
    const bool rolled = !is_deleting(set) && fill(view) && shrink(view) && roll(view);
    write_status(set, status(view, rolled));
    if (!is_deleting(set)) history_.trim(set, used_revisions(view));
  }

  View view_of(const Json& set) {
    const auto named = [&](const char* member) {
      return history_.named(set, text(field(set, "status", member)));
    };
    // A set that is being deleted gets no new revision, because its revisions are deleted, too.
    View view{.set = set,
              .current = named("currentRevision"),
              .update = is_deleting(set) ? named("updateRevision") : history_.current(set)};
    if (view.current == nullptr) view.current = view.update;
    view.is_ordered = text(field(set, "spec", "podManagementPolicy")) != "Parallel";
    view.replicas.resize(static_cast<std::size_t>(wanted_replicas(set)));
    for (const StoredPtr& pod : children(set)) {
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

  /// Creates missing pods, and deletes pods that have ended. Returns false if the other steps have
  /// to wait.
  bool fill(const View& view) {
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

  /// Deletes surplus pods. Returns false if the other steps have to wait.
  bool shrink(const View& view) {
    const StoredPtr unhealthy = view.condemned.empty() ? nullptr : first_unhealthy(view);
    for (const StoredPtr& pod : view.condemned) {
      const bool ends = is_deleting(pod->json);
      const bool must_wait = view.is_ordered && !is_healthy(view, pod) && pod != unhealthy;
      if (!ends && !must_wait) remove(view, *pod);
      if (view.is_ordered) return false;
    }
    return true;
  }

  /// Deletes the last pod that does not have the current template, so that it is created again.
  /// Does so only if all pods after it are available. Returns whether it tried to delete a pod.
  bool roll(const View& view) {
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

  /// Creates the claims of a pod, then the pod. Pods with a number below the partition keep the
  /// previous template.
  void create(const View& view, std::int64_t index) {
    const std::int64_t ordinal = index + first_ordinal(view.set);
    const bool keeps = text(field(view.set, "spec", "updateStrategy", "type")) != "OnDelete" &&
                       index < update_partition(view.set);
    const StoredObject& revision = keeps ? *view.current : *view.update;
    Json pod =
        stateful_pod(view.set, template_of_revision(revision.json), revision.key.name, ordinal);
    pod["metadata"]["ownerReferences"] = Json::array({controller_reference_to(view.set)});
    const std::string place =
        fmt::format("Pod {} in StatefulSet {}", name_of(pod), name_of(view.set));
    for (Json& claim : stateful_claims(view.set, ordinal)) {
      const ObjectKey key = key_of(claim);
      if (cluster_.mirror().find("persistentvolumeclaims", key)) continue;
      if (cluster_.create(std::move(claim)) == nullptr) return;
      report_done(view, "Create", fmt::format("Claim {} {} success", key.name, place));
    }
    if (cluster_.create(std::move(pod)) != nullptr) {
      report_done(view, "Create", place + " successful");
    }
  }

  void remove(const View& view, const StoredObject& pod) {
    if (!cluster_.remove("pods", pod.json)) return;
    report_done(
        view, "Delete",
        fmt::format("Pod {} in StatefulSet {} successful", pod.key.name, name_of(view.set)));
  }

  bool is_healthy(const View& view, const StoredPtr& pod) {
    return pod != nullptr && !is_deleting(pod->json) && is_available(view.set, pod->json);
  }

  StoredPtr first_unhealthy(const View& view) {
    for (const StoredPtr& pod : view.replicas) {
      if (!is_healthy(view, pod)) return pod;
    }
    for (const StoredPtr& pod : view.condemned | std::views::reverse) {
      if (!is_healthy(view, pod)) return pod;
    }
    return nullptr;
  }

  /// Returns the status. If `rolled` is true, the pod that roll() has deleted no longer counts as
  /// current.
  Json status(const View& view, bool rolled) {
    // The revisions of a set that is being deleted may already be deleted. Then use their names
    // from the old status.
    const auto revision_name = [&](const StoredPtr& revision, const char* member) {
      return revision == nullptr ? text(field(view.set, "status", member)) : revision->key.name;
    };
    std::string current = revision_name(view.current, "currentRevision");
    const std::string update = revision_name(view.update, "updateRevision");
    const std::vector<StoredPtr> pods = view.pods();
    const std::int64_t present = std::ssize(pods);
    std::int64_t ready = 0;
    std::int64_t available = 0;
    std::int64_t at_current = 0;
    std::int64_t at_update = 0;
    for (const StoredPtr& pod : pods) {
      ready += is_ready_pod(pod->json) ? 1 : 0;
      available += is_available(view.set, pod->json) ? 1 : 0;
      if (is_deleting(pod->json)) continue;
      at_current += revision_of_pod(pod) == current ? 1 : 0;
      at_update += revision_of_pod(pod) == update ? 1 : 0;
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
    set_count(result, "readyReplicas", ready);
    set_count(result, "currentReplicas", at_current);
    set_count(result, "updatedReplicas", at_update);
    result["currentRevision"] = current;
    result["updateRevision"] = update;
    result["collisionCount"] = 0;
    result["availableReplicas"] = available;
    return result;
  }

  void report_done(const View& view, const std::string& verb, const std::string& what) {
    report(view.set, "Successful" + verb, verb + " " + what);
  }

  std::set<std::string> used_revisions(const View& view) const {
    std::set<std::string> used = {view.current->key.name, view.update->key.name};
    for (const StoredPtr& pod : view.pods()) used.insert(revision_of_pod(pod));
    return used;
  }

  TemplateHistory history_;
};

}  // namespace

std::unique_ptr<ClusterController> stateful_sets(Cluster& cluster) {
  return std::make_unique<StatefulSets>(cluster);
}

}  // namespace kinf::sandbox
