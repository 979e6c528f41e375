// SPDX-License-Identifier: Apache-2.0
// Deployments: keeps one ReplicaSet for each version of a Deployment's template, and moves the
// replicas to the newest ReplicaSet.
// Source: kubernetes pkg/controller/deployment.
#include "kinf/sandbox/controllers/owner_loop.h"

#include <fmt/format.h>

#include <tuple>

#include "kinf/base/ascii.h"
#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/rollout.h"
#include "kinf/sandbox/controllers/template_history.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kSets = "replicasets.apps";
constexpr const char* kRevision = "deployment.kubernetes.io/revision";
constexpr const char* kDesired = "deployment.kubernetes.io/desired-replicas";
constexpr const char* kMaximum = "deployment.kubernetes.io/max-replicas";
constexpr const char* kHistory = "deployment.kubernetes.io/revision-history";

std::int64_t wanted_of(const StoredPtr& set) {
  return set == nullptr ? 0 : integer_or(field(set->json, "spec", "replicas"), 0);
}
std::int64_t status_of(const StoredPtr& set, const char* member) {
  return set == nullptr ? 0 : integer_or(field(set->json, "status", member), 0);
}
SetCount count_of(const StoredPtr& set) {
  return {wanted_of(set), status_of(set, "availableReplicas")};
}
std::vector<SetCount> counts_of(const std::vector<StoredPtr>& sets) {
  std::vector<SetCount> counts;
  for (const StoredPtr& set : sets) counts.push_back(count_of(set));
  return counts;
}

std::int64_t revision_of(const Json& object) {
  return parse_number<std::int64_t>(text(field(object, "metadata", "annotations", kRevision)))
      .value_or(0);
}

/// Returns the annotations that a ReplicaSet copies from its Deployment.
Json inherited_annotations(const Json& deployment) {
  Json result = Json::object();
  const Json& annotations = field(deployment, "metadata", "annotations");
  for (const auto& [key, value] : annotations.items()) {
    if (key != kRevision && key != "kubectl.kubernetes.io/last-applied-configuration") {
      result[key] = value;
    }
  }
  return result;
}

/// Adds `revision` to the annotation revision-history of a ReplicaSet that becomes the newest
/// again. `revision` is the revision that the ReplicaSet had before. Drops the oldest revisions if
/// the annotation becomes too long.
void add_to_history(Json& annotations, const std::string& revision) {
  constexpr std::size_t kHistoryCharacters = 2000;
  if (revision.empty()) return;
  std::string history = text(field(annotations, kHistory));
  history += (history.empty() ? "" : ",") + revision;
  while (history.size() > kHistoryCharacters) history.erase(0, history.find(',') + 1);
  annotations[kHistory] = history;
}

class Deployments : public OwnerLoop {
 public:
  explicit Deployments(Cluster& cluster)
      : OwnerLoop(cluster, "deployments.apps", kSets, "deployment-controller", /*adopts=*/true) {}

 private:
  /// A Deployment and its ReplicaSets.
  struct View {
    const Json& deployment;
    std::vector<StoredPtr> old;  ///< old ReplicaSets, from the oldest to the newest
    StoredPtr fresh;             ///< ReplicaSet of the current template; may be null
    std::int64_t replicas = 0;
    RolloutLimits limits;
    bool is_stale = false;  ///< a ReplicaSet was created that is not in the view

    std::vector<StoredPtr> all() const {
      std::vector<StoredPtr> result = old;
      if (fresh != nullptr) result.push_back(fresh);
      return result;
    }
    void note_size(Json& annotations) const {
      annotations[kDesired] = std::to_string(replicas);
      annotations[kMaximum] = std::to_string(replicas + limits.surge);
    }
  };

  void forget(const std::string& uid) override { moved_at_.erase(uid); }

  void reconcile(const Json& deployment) override {
    View view = view_of(deployment);
    const bool is_paused = field(deployment, "spec", "paused") == Json(true);
    const bool recreates = text(field(deployment, "spec", "strategy", "type")) == "Recreate";
    if (!is_deleting(deployment)) {
      if (scale_all(view)) {
        // The next call of reconcile() continues with the new sizes.
      } else if (is_paused) {
        drop_history(view);
      } else if (recreates) {
        recreate(view);
      } else if (prepare_new_set(view)) {
        roll(view);
      }
    }
    // If the view is stale, the next call of reconcile() uses the new set and writes the status.
    if (!view.is_stale) write_status(deployment, status(view));
  }

  View view_of(const Json& deployment) {
    View view{deployment, children(deployment), nullptr, 0, {}};
    view.replicas = integer_or(field(deployment, "spec", "replicas"), 1);
    view.limits = rollout_limits(deployment, view.replicas);
    std::ranges::stable_sort(view.old, {}, [](const StoredPtr& set) {
      return std::tuple(text(field(set->json, "metadata", "creationTimestamp")),
                        revision_of(set->json));
    });
    const Json& wanted = field(deployment, "spec", "template");
    const auto found = std::ranges::find_if(view.old, [&](const StoredPtr& set) {
      return is_same_template(field(set->json, "spec", "template"), wanted);
    });
    if (found != view.old.end()) {
      view.fresh = *found;
      view.old.erase(found);
    }
    return view;
  }

  /// Creates the ReplicaSet of the current template, or makes its revision the newest. Returns
  /// false if the set did not exist yet.
  bool prepare_new_set(View& view) {
    std::int64_t last = 0;
    for (const StoredPtr& set : view.old) last = std::max(last, revision_of(set->json));
    if (view.fresh == nullptr) {
      const std::int64_t size = new_set_size(view.replicas, view.limits, {}, counts_of(view.old));
      view.is_stale = create_set(view, std::to_string(last + 1), size);
      return false;
    }
    std::int64_t revision = revision_of(view.fresh->json);
    if (revision <= last) {
      const std::string before = revision > 0 ? std::to_string(revision) : "";
      revision = last + 1;
      cluster_.edit(kSets, view.fresh->json, [&](Json& set) {
        Json& annotations = object_at(set["metadata"], "annotations");
        annotations.update(inherited_annotations(view.deployment));
        annotations[kRevision] = std::to_string(revision);
        add_to_history(annotations, before);
      });
    }
    set_revision(view, std::to_string(revision));
    return true;
  }

  /// Creates the ReplicaSet of the current template with `size` replicas. Returns false on failure.
  bool create_set(const View& view, const std::string& revision, std::int64_t size) {
    const Json& deployment = view.deployment;
    Json pod_template = field(deployment, "spec", "template");
    const std::string hash = template_hash(pod_template);
    object_at(object_at(pod_template, "metadata"), "labels")[kTemplateHash] = hash;
    Json selector = field(deployment, "spec", "selector");
    object_at(selector, "matchLabels")[kTemplateHash] = hash;
    Json annotations = inherited_annotations(deployment);
    view.note_size(annotations);
    annotations[kRevision] = revision;
    const std::string name = name_of(deployment) + "-" + hash;
    Json spec = {{"replicas", size}};
    const Json& min_ready = field(deployment, "spec", "minReadySeconds");
    if (!min_ready.is_null()) spec["minReadySeconds"] = min_ready;
    spec["selector"] = std::move(selector);
    Json labels = pod_template["metadata"]["labels"];
    spec["template"] = std::move(pod_template);
    Json set = {{"kind", "ReplicaSet"},
                {"apiVersion", "apps/v1"},
                {"metadata",
                 {{"name", name},
                  {"namespace", field(deployment, "metadata", "namespace")},
                  {"labels", std::move(labels)},
                  {"annotations", std::move(annotations)},
                  {"ownerReferences", Json::array({controller_reference_to(deployment)})}}},
                {"spec", std::move(spec)}};
    if (cluster_.create(std::move(set)) == nullptr) return false;
    moved_at_.erase(uid_of(deployment));
    const std::string now = cluster_.timestamp();
    cluster_.edit(type_, deployment, [&](Json& current) {
      object_at(current["metadata"], "annotations")[kRevision] = revision;
      set_rollout_condition(
          object_at(current, "status"), "Progressing",
          {"True", "NewReplicaSetCreated", "Created new replica set \"" + name + "\""}, now);
    });
    if (size > 0) report_scaled(view, name, 0, size);
    return true;
  }

  void set_revision(const View& view, const std::string& revision) {
    if (text(field(view.deployment, "metadata", "annotations", kRevision)) == revision) return;
    cluster_.edit(type_, view.deployment, [&](Json& deployment) {
      object_at(deployment["metadata"], "annotations")[kRevision] = revision;
    });
  }

  /// Scales the ReplicaSets if the Deployment was scaled. A single active set gets all replicas.
  /// Several active sets share them in proportion. Returns whether the Deployment was scaled.
  bool scale_all(const View& view) {
    std::vector<StoredPtr> active = view.all();
    std::erase_if(active, [](const StoredPtr& set) { return wanted_of(set) == 0; });
    const bool was_scaled = std::ranges::any_of(active, [&](const StoredPtr& set) {
      const std::string desired = text(field(set->json, "metadata", "annotations", kDesired));
      return !desired.empty() && desired != std::to_string(view.replicas);
    });
    if (!was_scaled) return false;
    std::vector<std::int64_t> sizes;
    for (const StoredPtr& set : active) sizes.push_back(wanted_of(set));
    const bool is_rolling = active.size() > 1;
    sizes = scaled_in_proportion(
        sizes, view.replicas == 0 ? 0 : view.replicas + (is_rolling ? view.limits.surge : 0));
    for (std::size_t i = 0; i < active.size(); ++i) scale(view, *active[i], sizes[i]);
    return true;
  }

  void roll(const View& view) {
    const SetCount fresh = count_of(view.fresh);
    const std::vector<SetCount> old = counts_of(view.old);
    const std::int64_t size = new_set_size(view.replicas, view.limits, fresh, old);
    if (size != fresh.wanted) return scale(view, *view.fresh, size);
    const std::vector<std::int64_t> sizes = old_set_sizes(view.replicas, view.limits, fresh, old);
    bool has_old = false;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] != old[i].wanted) scale(view, *view.old[i], sizes[i]);
      has_old = has_old || old[i].wanted > 0;
    }
    if (!has_old && fresh.available >= view.replicas) drop_history(view);
  }

  void recreate(View& view) {
    bool has_pods = false;
    for (const StoredPtr& set : view.old) {
      if (wanted_of(set) > 0) scale(view, *set, 0);
      for (const StoredPtr& pod : cluster_.mirror().controlled("pods", uid_of(set->json))) {
        has_pods = has_pods || !has_ended(pod->json);
      }
    }
    // When a pod ends, the status of its set changes, so reconcile() is called again.
    if (has_pods) return;
    View next = view;
    next.limits.surge = 0;
    if (prepare_new_set(next)) roll(next);
    view.is_stale = next.is_stale;
  }

  void scale(const View& view, const StoredObject& set, std::int64_t size) {
    const std::int64_t before = integer_or(field(set.json, "spec", "replicas"), 0);
    const bool done = cluster_.edit(kSets, set.json, [&](Json& current) {
      current["spec"]["replicas"] = size;
      view.note_size(object_at(current["metadata"], "annotations"));
    });
    if (done && before != size) report_scaled(view, set.key.name, before, size);
  }

  void report_scaled(const View& view, const std::string& set, std::int64_t before,
                     std::int64_t after) {
    report(view.deployment, "ScalingReplicaSet",
           fmt::format("Scaled {} replica set {} from {} to {}", after > before ? "up" : "down",
                       set, before, after));
  }

  /// Deletes the oldest of the old ReplicaSets that have no pods, so that at most
  /// revisionHistoryLimit of them stay.
  void drop_history(const View& view) {
    const std::int64_t limit =
        integer_or(field(view.deployment, "spec", "revisionHistoryLimit"), 10);
    std::vector<StoredPtr> idle = view.old;
    std::erase_if(idle, [](const StoredPtr& set) {
      return wanted_of(set) > 0 || status_of(set, "replicas") > 0 || is_deleting(set->json);
    });
    std::ranges::stable_sort(idle, {}, [](const StoredPtr& set) { return revision_of(set->json); });
    for (const StoredPtr& set : first_of(idle, std::ssize(idle) - limit)) {
      cluster_.remove(kSets, set->json);
    }
  }

  Json status(const View& view) {
    const std::vector<StoredPtr> all = view.all();
    const auto total = [&](const char* member) {
      std::int64_t sum = 0;
      for (const StoredPtr& set : all) sum += status_of(set, member);
      return sum;
    };
    const std::int64_t present = total("replicas");
    const std::int64_t available = total("availableReplicas");
    std::int64_t wanted = 0;
    for (const StoredPtr& set : all) wanted += wanted_of(set);
    Json result = {
        {"observedGeneration", integer_or(field(view.deployment, "metadata", "generation"), 0)}};
    set_count(result, "replicas", present);
    set_count(result, "updatedReplicas", status_of(view.fresh, "replicas"));
    set_count(result, "readyReplicas", total("readyReplicas"));
    set_count(result, "availableReplicas", available);
    set_count(result, "unavailableReplicas", wanted - available);
    result["terminatingReplicas"] = total("terminatingReplicas");
    result["conditions"] = elements(field(view.deployment, "status", "conditions"));
    const bool is_enough = available >= view.replicas - view.limits.unavailable;
    set_rollout_condition(result, "Available",
                          {is_enough ? "True" : "False",
                           is_enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                           is_enough ? "Deployment has minimum availability."
                                     : "Deployment does not have minimum availability."},
                          cluster_.timestamp());
    if (is_deleting(view.deployment)) return result;
    const bool is_paused = field(view.deployment, "spec", "paused") == Json(true);
    note_paused(result, is_paused, cluster_.timestamp());
    if (!is_paused) set_progressing(view, result);
    return result;
  }

  void set_progressing(const View& view, Json& status) {
    const auto number = [&](const char* key) { return integer_or(field(status, key), 0); };
    const Json before = condition_of({{"status", status}}, "Progressing");
    const bool was_done = text(field(before, "reason")) == "NewReplicaSetAvailable";
    // A finished rollout stays finished, even if pods fail later.
    if (was_done && number("updatedReplicas") == number("replicas")) return;
    const bool is_done = view.fresh != nullptr && number("updatedReplicas") == view.replicas &&
                         number("replicas") == view.replicas &&
                         number("availableReplicas") == view.replicas;
    const bool has_moved =
        before.is_null() || has_progressed(field(view.deployment, "status"), status);
    Clock::Mono& moved_at =
        moved_at_.try_emplace(uid_of(view.deployment), cluster_.now()).first->second;
    if (has_moved) moved_at = cluster_.now();
    const Cluster::Seconds limit(static_cast<double>(
        integer_or(field(view.deployment, "spec", "progressDeadlineSeconds"), 600)));
    const Clock::Mono deadline = moved_at + cluster_.scaled(limit);
    const std::string subject = view.fresh == nullptr
                                    ? "Deployment \"" + name_of(view.deployment) + "\""
                                    : "ReplicaSet \"" + view.fresh->key.name + "\"";
    ConditionState state{"True"};
    if (is_done) {
      state = {"True", "NewReplicaSetAvailable", subject + " has successfully progressed."};
    } else if (has_moved) {
      state = {"True", "ReplicaSetUpdated", subject + " is progressing."};
    } else if (!was_done && cluster_.now() >= deadline) {
      state = {"False", "ProgressDeadlineExceeded", subject + " has timed out progressing."};
    }
    if (!is_done && cluster_.now() < deadline) {
      again_after(view.deployment, (deadline - cluster_.now()) * cluster_.speed());
    }
    if (state.reason.empty()) return;
    set_rollout_condition(status, "Progressing", state, cluster_.timestamp(),
                          has_moved && !is_done);
  }

  /// The time of the last progress of a rollout, by the uid of the Deployment.
  std::map<std::string, Clock::Mono> moved_at_;
};

}  // namespace

std::unique_ptr<ClusterController> deployments(Cluster& cluster) {
  return std::make_unique<Deployments>(cluster);
}

}  // namespace kinf::sandbox
