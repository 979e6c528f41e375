// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/timestamp.h"
#include "kinf/sandbox/controllers/nodes.h"
#include "kinf/sandbox/controllers/owner_loop.h"
#include "kinf/sandbox/controllers/rollout.h"
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

std::string pod_name(const Json& set, std::int64_t ordinal) {
  return fmt::format("{}-{}", name_of(set), ordinal);
}

std::string claim_name(const Json& set, const Json& claim, std::int64_t ordinal) {
  return name_of(claim) + "-" + pod_name(set, ordinal);
}

/// Returns the volumes of a pod: the volumes for its claims, then the other volumes of the
/// template.
Json volumes_of(const Json& set, const Json& spec, std::int64_t ordinal) {
  Json result = Json::array();
  std::vector<std::string> claimed;
  for (const Json& claim : elements(field(set, "spec", "volumeClaimTemplates"))) {
    claimed.push_back(name_of(claim));
    result.push_back({{"name", claimed.back()},
                      {"persistentVolumeClaim", {{"claimName", claim_name(set, claim, ordinal)}}}});
  }
  for (const Json& volume : elements(field(spec, "volumes"))) {
    if (std::ranges::count(claimed, text(field(volume, "name"))) == 0) result.push_back(volume);
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
  Json pod = daemon_pod(set, "", name_of(node));
  const bool should_run = node_refusal(pod, node).empty();
  // Running pods stay on nodes that accept no new pods.
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

std::optional<std::int64_t> ordinal_of(const Json& set, const Json& pod) {
  const std::string name = name_of(pod);
  const std::string prefix = name_of(set) + "-";
  if (!name.starts_with(prefix)) return std::nullopt;
  const auto number = parse_number<std::int64_t>(std::string_view(name).substr(prefix.size()));
  if (!number || *number < 0 || pod_name(set, *number) != name) return std::nullopt;
  return number;
}

Json stateful_pod(const Json& set, const Json& pod_template, const std::string& revision,
                  std::int64_t ordinal) {
  Json pod = pod_of_template(set, pod_template);
  const std::string name = pod_name(set, ordinal);
  Json& metadata = pod["metadata"];
  metadata.erase("generateName");
  metadata["name"] = name;
  Json& labels = object_at(metadata, "labels");
  labels["statefulset.kubernetes.io/pod-name"] = name;
  labels["apps.kubernetes.io/pod-index"] = std::to_string(ordinal);
  labels[kRevisionHash] = revision;
  Json& spec = object_at(pod, "spec");
  spec["hostname"] = name;
  const std::string service = text(field(set, "spec", "serviceName"));
  if (!service.empty()) spec["subdomain"] = service;
  Json volumes = volumes_of(set, spec, ordinal);
  if (!volumes.empty()) spec["volumes"] = std::move(volumes);
  return pod;
}

std::vector<Json> stateful_claims(const Json& set, std::int64_t ordinal) {
  std::vector<Json> claims;
  for (const Json& each : elements(field(set, "spec", "volumeClaimTemplates"))) {
    Json claim = each;
    Json& metadata = object_at(claim, "metadata");
    metadata["name"] = claim_name(set, each, ordinal);
    metadata["namespace"] = field(set, "metadata", "namespace");
    const Json& labels = field(set, "spec", "selector", "matchLabels");
    if (labels.is_object()) object_at(metadata, "labels").update(labels);
    claims.push_back(std::move(claim));
  }
  return claims;
}

std::int64_t first_ordinal(const Json& set) {
  return integer_or(field(set, "spec", "ordinals", "start"), 0);
}

std::int64_t update_partition(const Json& set) {
  return integer_or(field(set, "spec", "updateStrategy", "rollingUpdate", "partition"), 0);
}

Json job_of_template(const Json& cron, std::chrono::sys_seconds time) {
  const Json& job_template = field(cron, "spec", "jobTemplate");
  const auto minutes = std::chrono::floor<std::chrono::minutes>(time.time_since_epoch()).count();
  Json metadata = {{"name", fmt::format("{}-{}", name_of(cron), minutes)},
                   {"namespace", field(cron, "metadata", "namespace")}};
  const Json& labels = field(job_template, "metadata", "labels");
  if (!labels.is_null()) metadata["labels"] = labels;
  Json annotations = field(job_template, "metadata", "annotations");
  if (!annotations.is_object()) annotations = Json::object();
  annotations["batch.kubernetes.io/cronjob-scheduled-timestamp"] = timestamp_text(time);
  metadata["annotations"] = std::move(annotations);
  return {{"kind", "Job"},
          {"apiVersion", "batch/v1"},
          {"metadata", std::move(metadata)},
          {"spec", field(job_template, "spec")}};
}

}  // namespace kinf::sandbox
