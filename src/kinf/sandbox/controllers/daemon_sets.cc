// SPDX-License-Identifier: Apache-2.0
// DaemonSets: keeps one pod on each node that accepts it, except on nodes that have a kubelet
// outside the sandbox. An update replaces at most maxUnavailable pods at a time. With maxSurge, an
// update first creates the new pod beside the old one.
// Source: kubernetes pkg/controller/daemon.
#include "kinf/sandbox/controllers/owner_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/nodes.h"
#include "kinf/sandbox/controllers/template_history.h"
#include "kinf/sandbox/controllers/templates.h"

namespace kinf::sandbox {
namespace {

bool is_updated(const StoredPtr& pod, const std::string& hash) {
  return text(field(pod->json, "metadata", "labels", kRevisionHash)) == hash;
}

class DaemonSets : public OwnerLoop {
 public:
  explicit DaemonSets(Cluster& cluster)
      : OwnerLoop(cluster, "daemonsets.apps", "pods", "daemonset-controller", /*adopts=*/true),
        history_(cluster, kRevisionHash) {}

 private:
  struct NodeView {
    DaemonPlacement placement;
    std::vector<StoredPtr> pods;  ///< pods on the node, oldest first
  };
  struct View {
    const Json& set;
    std::string hash;  ///< hash of the current template
    std::map<std::string, NodeView> nodes;
    std::int64_t wanted = 0;  ///< number of nodes that should have a pod
    std::int64_t surge = 0;   ///< number of nodes that may have two pods in an update
  };

  void observe(const MirrorChange& change) override {
    OwnerLoop::observe(change);
    if (change.id.first == "nodes") touch_all();
  }

  void reconcile(const Json& set) override {
    if (is_deleting(set)) return;
    const StoredPtr revision = history_.current(set);
    if (revision == nullptr) return;
    const View view = view_of(set, *revision);
    bool has_written = false;
    for (const auto& [name, node] : view.nodes) has_written |= place_on(view, name, node);
    const bool rolls = text(field(set, "spec", "updateStrategy", "type")) != "OnDelete";
    if (rolls && !has_written) roll(view);
    history_.trim(set, {revision->key.name});
    write_status(set, status(view));
  }

  View view_of(const Json& set, const StoredObject& revision) {
    View view{set, revision_hash(revision), {}, 0, 0};
    for (const auto& [key, node] : cluster_.mirror().all("nodes")) {
      if (has_other_runtime(node->json)) continue;
      NodeView& entry = view.nodes[key.name];
      entry.placement = daemon_placement(set, node->json);
      view.wanted += entry.placement.should_run ? 1 : 0;
    }
    view.surge = daemon_surge_limit(set, view.wanted);
    for (const StoredPtr& pod : children(set)) {
      const auto node = view.nodes.find(node_of_daemon(pod->json));
      if (node != view.nodes.end()) node->second.pods.push_back(pod);
    }
    for (auto& [name, node] : view.nodes) {
      std::ranges::stable_sort(node.pods, {}, [&](const StoredPtr& pod) {
        return std::tuple(text(field(pod->json, "spec", "nodeName")).empty(),
                          text(field(pod->json, "metadata", "creationTimestamp")),
                          is_updated(pod, view.hash));
      });
    }
    return view;
  }

  /// Creates and deletes pods so that the node has the right number of pods. Returns whether it has
  /// created or deleted a pod.
  bool place_on(const View& view, const std::string& name, const NodeView& node) {
    const DaemonPlacement& placement = node.placement;
    if (placement.should_run && node.pods.empty()) return create_on(view, name);
    bool has_written = false;
    std::vector<StoredPtr> running;
    for (const StoredPtr& pod : node.pods) {
      if (is_deleting(pod->json)) continue;
      if (!placement.may_continue) {
        has_written |= delete_child(view.set, *pod);
      } else if (has_ended(pod->json)) {
        has_written |= end_finished(view, *pod);
      } else {
        running.push_back(pod);
      }
    }
    if (running.empty()) {
      return view.surge > 0 && placement.should_run ? create_on(view, name) : has_written;
    }
    return thin_out(view, running) || has_written;
  }

  bool create_on(const View& view, const std::string& node) {
    Json pod = daemon_pod(view.set, view.hash, node);
    return create_child(view.set, std::move(pod)) != nullptr;
  }

  /// Deletes surplus pods on a node. Keeps one pod or, during an update with maxSurge, one pod of
  /// the current template and one of an older template while the old pod is still needed.
  bool thin_out(const View& view, const std::vector<StoredPtr>& pods) {
    StoredPtr fresh;
    StoredPtr old;
    bool has_written = false;
    for (const StoredPtr& pod : pods) {
      StoredPtr& place = is_updated(pod, view.hash) ? fresh : old;
      const bool has_room = place == nullptr && (view.surge > 0 || (!fresh && !old));
      if (has_room) {
        place = pod;
      } else {
        has_written |= delete_child(view.set, *pod);
      }
    }
    if (!fresh || !old) return has_written;
    const bool is_needed = is_ready_pod(old->json) && !is_available(view.set, fresh->json);
    return (!is_needed && delete_child(view.set, *old)) || has_written;
  }

  /// Deletes a pod that has ended, so that another pod replaces it.
  bool end_finished(const View& view, const StoredObject& pod) {
    const bool has_failed = text(field(pod.json, "status", "phase")) == "Failed";
    const std::string place =
        fmt::format("{} on node {}", to_string(pod.key), node_of_daemon(pod.json));
    report(view.set, has_failed ? "FailedDaemonPod" : "SucceededDaemonPod",
           has_failed ? fmt::format("Found failed daemon pod {}, will try to kill it", place)
                      : fmt::format("Found succeeded daemon pod {}, will try to delete it", place),
           has_failed ? "Warning" : "Normal");
    return delete_child(view.set, pod);
  }

  /// Deletes pods of older templates: all that are not available, and as many available ones as
  /// maxUnavailable permits.
  void roll(const View& view) {
    if (view.surge > 0) return roll_with_surge(view);
    std::vector<StoredPtr> candidates;
    std::int64_t unavailable = 0;
    for (const auto& [name, node] : view.nodes) {
      const auto live = std::ranges::find_if(
          node.pods, [](const StoredPtr& pod) { return !is_deleting(pod->json); });
      if (live == node.pods.end()) {
        unavailable += node.placement.should_run ? 1 : 0;
        continue;
      }
      const bool available = is_available(view.set, (*live)->json);
      unavailable += available ? 0 : 1;
      if (is_updated(*live, view.hash)) continue;
      if (available) {
        candidates.push_back(*live);
      } else {
        delete_child(view.set, **live);
      }
    }
    const std::int64_t most = daemon_unavailable_limit(view.set, view.wanted) - unavailable;
    for (const StoredPtr& pod : first_of(candidates, most)) delete_child(view.set, *pod);
  }

  /// Creates new pods on nodes that still have only a pod of an older template: on all nodes whose
  /// old pod is not available, and on as many others as maxSurge permits. Deletes old pods on nodes
  /// that should not have a pod, as long as enough pods are available.
  void roll_with_surge(const View& view) {
    std::vector<std::string> candidates;
    std::vector<StoredPtr> leaving;
    std::int64_t available = 0;
    std::int64_t surging = 0;
    for (const auto& [name, node] : view.nodes) {
      std::vector<StoredPtr> live = node.pods;
      std::erase_if(live, [](const StoredPtr& pod) { return is_deleting(pod->json); });
      if (live.empty()) continue;
      const bool is_old = live.size() == 1 && !is_updated(live.front(), view.hash);
      const bool is_served = is_available(view.set, live.front()->json);
      available += is_served ? 1 : 0;
      surging += live.size() > 1 ? 1 : 0;
      if (!is_old) continue;
      if (!node.placement.should_run) {
        leaving.push_back(live.front());
      } else if (is_served) {
        candidates.push_back(name);
      } else {
        create_on(view, name);
      }
    }
    for (const StoredPtr& pod : first_of(leaving, available - view.wanted)) {
      delete_child(view.set, *pod);
    }
    for (const std::string& name : first_of(candidates, view.surge - surging)) {
      create_on(view, name);
    }
  }

  Json status(const View& view) {
    std::int64_t present = 0;
    std::int64_t misplaced = 0;
    std::int64_t ready = 0;
    std::int64_t available = 0;
    std::int64_t updated = 0;
    for (const auto& [name, node] : view.nodes) {
      if (!node.placement.should_run) {
        misplaced += node.pods.empty() ? 0 : 1;
        continue;
      }
      if (node.pods.empty()) continue;
      const StoredPtr& pod = node.pods.front();
      ++present;
      ready += is_ready_pod(pod->json) ? 1 : 0;
      available += is_available(view.set, pod->json) ? 1 : 0;
      updated += is_updated(pod, view.hash) ? 1 : 0;
    }
    Json result = {
        {"currentNumberScheduled", present},
        {"numberMisscheduled", misplaced},
        {"desiredNumberScheduled", view.wanted},
        {"numberReady", ready},
        {"observedGeneration", integer_or(field(view.set, "metadata", "generation"), 0)}};
    set_count(result, "updatedNumberScheduled", updated);
    set_count(result, "numberAvailable", available);
    set_count(result, "numberUnavailable", view.wanted - available);
    return result;
  }

  TemplateHistory history_;
};

}  // namespace

std::unique_ptr<ClusterController> daemon_sets(Cluster& cluster) {
  return std::make_unique<DaemonSets>(cluster);
}

}  // namespace kinf::sandbox
