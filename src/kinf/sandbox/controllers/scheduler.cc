// SPDX-License-Identifier: Apache-2.0
// Scheduler: binds new pods to nodes, as kube-scheduler does. It respects cordons, taints, node
// selectors and the node names in affinities. Of the remaining nodes, it chooses the node with the
// fewest pods. It ignores resource requests.
#include "kinf/sandbox/controllers/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/nodes.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kSchedulerName = "kube-scheduler";
constexpr const char* kComponent = "default-scheduler";

bool is_unscheduled(const Json& pod) {
  const std::string scheduler = text(field(pod, "spec", "schedulerName"));
  return text(field(pod, "spec", "nodeName")).empty() && !is_deleting(pod) &&
         (scheduler.empty() || scheduler == kComponent);
}

class Scheduler : public ClusterController {
 public:
  using ClusterController::ClusterController;

  void observe(const MirrorChange& change) override {
    if (change.id.first == "nodes") must_try_ = true;
    if (change.id.first != "pods") return;
    const auto node_of = [](const StoredPtr& pod) {
      return pod == nullptr ? "" : text(field(pod->json, "spec", "nodeName"));
    };
    const std::string before = node_of(change.old);
    const std::string node = node_of(change.now);
    if (before != node) {
      if (!before.empty() && --pods_on_[before] == 0) pods_on_.erase(before);
      if (!node.empty()) ++pods_on_[node];
    }
    const bool waits = change.now != nullptr && is_unscheduled(change.now->json) &&
                       !cluster_.is_scripted("pods", change.now->json);
    if (!waits) {
      waiting_.erase(change.id.second);
    } else if (waiting_.insert(change.id.second).second ||
               field(change.now->json, "spec") != field(change.old->json, "spec")) {
      must_try_ = true;
    }
  }

  void act() override {
    if (!std::exchange(must_try_, false)) return;
    placed_.clear();
    const std::set<ObjectKey> pods = waiting_;
    for (const ObjectKey& key : pods) {
      const StoredPtr pod = cluster_.mirror().find("pods", key);
      if (pod != nullptr) place(pod->json);
    }
  }

 private:
  void place(const Json& pod) {
    if (!elements(field(pod, "spec", "schedulingGates")).empty()) {
      return refuse(pod, "SchedulingGated",
                    "Scheduling is blocked due to non-empty scheduling gates");
    }
    std::string best;
    std::map<std::string, int> refusals;
    int nodes = 0;
    for (const auto& [key, node] : cluster_.mirror().all("nodes")) {
      if (!is_sandbox_node(node->json)) continue;
      ++nodes;
      const std::string refusal = node_refusal(pod, node->json);
      if (!refusal.empty()) {
        ++refusals[refusal];
      } else if (best.empty() || load(key.name) < load(best)) {
        best = key.name;
      }
    }
    if (best.empty()) {
      std::string why;
      for (const auto& [refusal, count] : refusals) {
        why += fmt::format("{}{} {}", why.empty() ? ": " : ", ", count, refusal);
      }
      return refuse(pod, "Unschedulable",
                    nodes == 0 ? "no nodes available to schedule pods"
                               : fmt::format("0/{} nodes are available{}.", nodes, why));
    }
    const std::string now = cluster_.timestamp();
    if (!cluster_.bind(pod, [&](Json& bound) { bind_pod(bound, best, now); })) return;
    ++placed_[best];
    cluster_.report(pod, {.reason = "Scheduled",
                          .message = fmt::format("Successfully assigned {} to {}",
                                                 to_string(key_of(pod)), best),
                          .component = kComponent});
  }

  int load(const std::string& node) const {
    const auto number = [&](const std::map<std::string, int>& counts) {
      const auto found = counts.find(node);
      return found == counts.end() ? 0 : found->second;
    };
    return number(pods_on_) + number(placed_);
  }

  void refuse(const Json& pod, const std::string& reason, const std::string& message) {
    const std::string now = cluster_.timestamp();
    cluster_.edit_status(kSchedulerName, "pods", pod, [&](Json& current) {
      set_condition(object_at(current, "status"), "PodScheduled", {"False", reason, message}, now);
    });
    if (reason != "Unschedulable") return;
    cluster_.report(pod, {.type = "Warning",
                          .reason = "FailedScheduling",
                          .message = message,
                          .component = kComponent});
  }

  std::set<ObjectKey> waiting_;         ///< pods without a node
  std::map<std::string, int> pods_on_;  ///< number of pods on each node, in the mirror
  std::map<std::string, int> placed_;   ///< number of pods bound to each node by the last act()
  bool must_try_ = false;               ///< whether the next act() tries to bind the waiting pods
};

}  // namespace

std::unique_ptr<ClusterController> scheduler(Cluster& cluster) {
  return std::make_unique<Scheduler>(cluster);
}

}  // namespace kinf::sandbox
