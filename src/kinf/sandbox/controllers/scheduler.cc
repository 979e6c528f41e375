// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/sandbox_node.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kSchedulerName = "kube-scheduler";
constexpr const char* kComponent = "default-scheduler";

bool tolerates(const Json& toleration, const Json& taint) {
  const std::string key = text(field(toleration, "key"));
  const std::string effect = text(field(toleration, "effect"));
  if (!effect.empty() && effect != text(field(taint, "effect"))) return false;
  if (text(field(toleration, "operator")) == "Exists") {
    return key.empty() || key == text(field(taint, "key"));
  }
  return key == text(field(taint, "key")) &&
         text(field(toleration, "value")) == text(field(taint, "value"));
}

bool tolerates_taint(const Json& pod, const Json& taint) {
  const std::string effect = text(field(taint, "effect"));
  if (effect != "NoSchedule" && effect != "NoExecute") return true;
  const Json& tolerations = elements(field(pod, "spec", "tolerations"));
  return std::ranges::any_of(tolerations, [&](const Json& each) { return tolerates(each, taint); });
}

bool is_unscheduled(const Json& pod) {
  const std::string scheduler = text(field(pod, "spec", "schedulerName"));
  return text(field(pod, "spec", "nodeName")).empty() && !is_deleting(pod) &&
         (scheduler.empty() || scheduler == kComponent);
}

}  // namespace

std::string required_node(const Json& pod) {
  const Json& terms = field(pod, "spec", "affinity", "nodeAffinity",
                            "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");
  for (const Json& term : elements(terms)) {
    for (const Json& rule : elements(field(term, "matchFields"))) {
      const Json& values = elements(field(rule, "values"));
      if (text(field(rule, "key")) == "metadata.name" && !values.empty()) return text(values[0]);
    }
  }
  return "";
}

std::string node_refusal(const Json& pod, const Json& node) {
  const Json cordon = {{"key", "node.kubernetes.io/unschedulable"}, {"effect", "NoSchedule"}};
  if (field(node, "spec", "unschedulable") == Json(true) && !tolerates_taint(pod, cordon)) {
    return "node(s) were unschedulable";
  }
  for (const Json& taint : elements(field(node, "spec", "taints"))) {
    if (!tolerates_taint(pod, taint)) {
      return fmt::format("node(s) had untolerated taint {{{}: {}}}", text(field(taint, "key")),
                         text(field(taint, "value")));
    }
  }
  const Json& selector = field(pod, "spec", "nodeSelector");
  for (const auto& [key, value] : selector.items()) {
    if (field(node, "metadata", "labels", key) != value) {
      return "node(s) didn't match Pod's node affinity/selector";
    }
  }
  const std::string wanted = required_node(pod);
  if (!wanted.empty() && field(node, "metadata", "name") != Json(wanted)) {
    return "node(s) didn't match Pod's node affinity/selector";
  }
  return "";
}

void Scheduler::observe(const MirrorChange& change) {
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
                     !cluster_.is_scripted(change.id, change.now->json);
  if (!waits) {
    waiting_.erase(change.id.second);
  } else if (waiting_.insert(change.id.second).second ||
             field(change.now->json, "spec") != field(change.old->json, "spec")) {
    must_try_ = true;
  }
}

void Scheduler::act() {
  if (!std::exchange(must_try_, false)) return;
  placed_.clear();
  const std::set<ObjectKey> pods = waiting_;
  for (const ObjectKey& key : pods) {
    const StoredPtr pod = cluster_.mirror().find("pods", key);
    if (pod != nullptr) place({"pods", key}, pod->json);
  }
}

int Scheduler::load(const std::string& node) const {
  const auto number = [&](const std::map<std::string, int>& counts) {
    const auto found = counts.find(node);
    return found == counts.end() ? 0 : found->second;
  };
  return number(pods_on_) + number(placed_);
}

void Scheduler::place(const ObjectId& id, const Json& pod) {
  if (!elements(field(pod, "spec", "schedulingGates")).empty()) {
    return refuse(id, pod, "SchedulingGated",
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
    const std::string message = nodes == 0 ? "no nodes available to schedule pods"
                                           : fmt::format("0/{} nodes are available{}.", nodes, why);
    return refuse(id, pod, "Unschedulable", message);
  }
  const std::string now = cluster_.timestamp();
  if (!cluster_.edit_status(kSchedulerName, id, uid_of(pod),
                            [&](Json& bound) { bind_pod(bound, best, now); })) {
    return;
  }
  ++placed_[best];
  cluster_.report(
      pod, {.reason = "Scheduled",
            .message = fmt::format("Successfully assigned {} to {}", to_string(id.second), best),
            .component = kComponent});
}

void Scheduler::refuse(const ObjectId& id, const Json& pod, const std::string& reason,
                       const std::string& message) {
  const std::string now = cluster_.timestamp();
  cluster_.edit_status(kSchedulerName, id, uid_of(pod), [&](Json& current) {
    set_condition(object_at(current, "status"), "PodScheduled", {"False", reason, message}, now);
  });
  if (reason != "Unschedulable") return;
  cluster_.report(pod, {.type = "Warning",
                        .reason = "FailedScheduling",
                        .message = message,
                        .component = kComponent});
}

}  // namespace kinf::sandbox
