// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/daemon_pods.h"

#include <algorithm>
#include <utility>

#include "kinf/sandbox/controllers/owner_loop.h"
#include "kinf/sandbox/controllers/rollout_counts.h"
#include "kinf/sandbox/controllers/scheduler.h"
#include "kinf/sandbox/controllers/template_history.h"

namespace kinf::sandbox {
namespace {

Json toleration(const char* key, const char* effect) {
  return {{"key", std::string("node.kubernetes.io/") + key},
          {"operator", "Exists"},
          {"effect", effect}};
}

Json tolerations_of(const Json& spec) {
  Json result = elements(field(spec, "tolerations"));
  for (const char* key : {"not-ready", "unreachable"}) {
    result.push_back(toleration(key, "NoExecute"));
  }
  for (const char* key : {"disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"}) {
    result.push_back(toleration(key, "NoSchedule"));
  }
  if (field(spec, "hostNetwork") == Json(true)) {
    result.push_back(toleration("network-unavailable", "NoSchedule"));
  }
  return result;
}

}  // namespace

Json daemon_pod(const Json& set, const std::string& hash, const std::string& node) {
  Json pod = pod_of_template(set, field(set, "spec", "template"));
  Json& labels = object_at(pod["metadata"], "labels");
  labels[kRevisionHash] = hash;
  const Json& generation =
      field(set, "metadata", "annotations", "deprecated.daemonset.template.generation");
  if (!generation.is_null()) labels["pod-template-generation"] = generation;
  Json& spec = object_at(pod, "spec");
  spec["tolerations"] = tolerations_of(spec);
  const Json rule = {{"key", "metadata.name"}, {"operator", "In"}, {"values", Json::array({node})}};
  object_at(object_at(spec, "affinity"),
            "nodeAffinity")["requiredDuringSchedulingIgnoredDuringExecution"] = {
      {"nodeSelectorTerms", Json::array({{{"matchFields", Json::array({rule})}}})}};
  return pod;
}

std::string node_of_daemon(const Json& pod) {
  const std::string bound = text(field(pod, "spec", "nodeName"));
  return bound.empty() ? required_node(pod) : bound;
}

DaemonPlacement daemon_placement(const Json& set, const Json& node) {
  Json pod = daemon_pod(set, "", text(field(node, "metadata", "name")));
  const bool should_run = node_refusal(pod, node).empty();
  // Pods that run stay on nodes that accept no new ones.
  pod["spec"]["tolerations"].push_back({{"operator", "Exists"}, {"effect", "NoSchedule"}});
  return {should_run, node_refusal(pod, node).empty()};
}

std::int64_t daemon_unavailable_limit(const Json& set, std::int64_t nodes) {
  const Json& limit = field(set, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable");
  return std::max<std::int64_t>(1, share_of(limit, nodes, /*up=*/true));
}

std::int64_t daemon_surge_limit(const Json& set, std::int64_t nodes) {
  return share_of(field(set, "spec", "updateStrategy", "rollingUpdate", "maxSurge"), nodes,
                  /*up=*/true);
}

}  // namespace kinf::sandbox
