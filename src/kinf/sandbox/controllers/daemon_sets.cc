// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/daemon_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/sandbox_node.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kDaemonComponent = "daemonset-controller";

bool is_updated(const StoredPtr& pod, const std::string& hash) {
  return text(field(pod->json, "metadata", "labels", kRevisionHash)) == hash;
}

}  // namespace

void DaemonSets::observe(const MirrorChange& change) {
  OwnerLoop::observe(change);
  if (change.id.first == "nodes") touch_all();
}

void DaemonSets::reconcile(const ObjectId& id, const Json& set) {
  if (is_deleting(set)) return;
  const StoredPtr revision = history_.current(set);
  if (revision == nullptr) return;
  const View view = view_of(id, set, *revision);
  const bool has_written = place_pods(view);
  const bool rolls = text(field(set, "spec", "updateStrategy", "type")) != "OnDelete";
  if (rolls && !has_written) roll(view);
  history_.trim(set, {revision->key.name});
  write_status(id, set, status(view));
}

DaemonSets::View DaemonSets::view_of(const ObjectId& id, const Json& set,
                                     const StoredObject& revision) {
  View view{id, set, revision_hash(revision), {}};
  for (const auto& [key, node] : cluster_.mirror().all("nodes")) {
    if (has_other_runtime(node->json)) continue;
    view.nodes[key.name].placement = daemon_placement(set, node->json);
  }
  for (const StoredPtr& pod : children(id, set)) {
    const auto node = view.nodes.find(node_of_daemon(pod->json));
    if (node != view.nodes.end()) node->second.pods.push_back(pod);
  }
  for (auto& [name, node] : view.nodes) {
    std::ranges::stable_sort(node.pods, {}, [](const StoredPtr& pod) {
      return text(field(pod->json, "metadata", "creationTimestamp"));
    });
  }
  return view;
}

bool DaemonSets::place_pods(const View& view) {
  bool has_written = false;
  for (const auto& [name, node] : view.nodes) has_written |= place_on(view, name, node);
  return has_written;
}

bool DaemonSets::place_on(const View& view, const std::string& name, const NodeView& node) {
  if (node.placement.should_run && node.pods.empty()) {
    return create_child(view.set, daemon_pod(view.set, view.hash, name), kDaemonComponent) !=
           nullptr;
  }
  bool has_written = false;
  bool has_one = false;
  for (const StoredPtr& pod : node.pods) {
    if (is_deleting(pod->json)) continue;
    if (node.placement.may_continue && has_ended(pod->json)) {
      has_written |= end_finished(view, *pod);
    } else if (!node.placement.may_continue || std::exchange(has_one, true)) {
      has_written |= delete_child(view.set, *pod, kDaemonComponent);
    }
  }
  return has_written;
}

/// Deletes a pod that has ended, so that another one takes its place.
bool DaemonSets::end_finished(const View& view, const StoredObject& pod) {
  const bool has_failed = text(field(pod.json, "status", "phase")) == "Failed";
  const std::string place =
      fmt::format("{} on node {}", to_string(pod.key), node_of_daemon(pod.json));
  cluster_.report(
      view.set,
      {.type = has_failed ? "Warning" : "Normal",
       .reason = has_failed ? "FailedDaemonPod" : "SucceededDaemonPod",
       .message = has_failed
                      ? fmt::format("Found failed daemon pod {}, will try to kill it", place)
                      : fmt::format("Found succeeded daemon pod {}, will try to delete it", place),
       .component = kDaemonComponent});
  return delete_child(view.set, pod, kDaemonComponent);
}

/// Deletes old pods: all that are not available, and others as far as the limit permits.
void DaemonSets::roll(const View& view) {
  std::vector<StoredPtr> candidates;
  std::int64_t nodes = 0;
  std::int64_t unavailable = 0;
  for (const auto& [name, node] : view.nodes) {
    nodes += node.placement.should_run ? 1 : 0;
    const auto live = std::ranges::find_if(
        node.pods, [](const StoredPtr& pod) { return !is_deleting(pod->json); });
    if (live == node.pods.end()) {
      unavailable += node.placement.should_run ? 1 : 0;
      continue;
    }
    const bool available = is_available(view.id, view.set, (*live)->json);
    unavailable += available ? 0 : 1;
    if (is_updated(*live, view.hash)) continue;
    if (available) {
      candidates.push_back(*live);
    } else {
      delete_child(view.set, **live, kDaemonComponent);
    }
  }
  const std::int64_t most = daemon_unavailable_limit(view.set, nodes) - unavailable;
  for (std::int64_t i = 0; i < std::min(most, std::ssize(candidates)); ++i) {
    delete_child(view.set, *candidates[static_cast<std::size_t>(i)], kDaemonComponent);
  }
}

Json DaemonSets::status(const View& view) {
  std::int64_t wanted = 0;
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
    ++wanted;
    if (node.pods.empty()) continue;
    const StoredPtr& pod = node.pods.front();
    ++present;
    ready += is_ready_pod(pod->json) ? 1 : 0;
    available += is_available(view.id, view.set, pod->json) ? 1 : 0;
    updated += is_updated(pod, view.hash) ? 1 : 0;
  }
  Json result = {{"currentNumberScheduled", present},
                 {"numberMisscheduled", misplaced},
                 {"desiredNumberScheduled", wanted},
                 {"numberReady", ready},
                 {"observedGeneration", integer_or(field(view.set, "metadata", "generation"), 0)}};
  if (updated > 0) result["updatedNumberScheduled"] = updated;
  if (available > 0) result["numberAvailable"] = available;
  if (wanted > available) result["numberUnavailable"] = wanted - available;
  return result;
}

}  // namespace kinf::sandbox
