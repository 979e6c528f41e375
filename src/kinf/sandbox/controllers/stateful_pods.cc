// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/stateful_pods.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/sandbox/controllers/owner_loop.h"
#include "kinf/sandbox/controllers/template_history.h"

namespace kinf::sandbox {
namespace {

std::string pod_name(const Json& set, std::int64_t ordinal) {
  return fmt::format("{}-{}", text(field(set, "metadata", "name")), ordinal);
}

std::string claim_name(const Json& set, const Json& claim, std::int64_t ordinal) {
  return text(field(claim, "metadata", "name")) + "-" + pod_name(set, ordinal);
}

/// Returns the volumes of the pod: those of its claims, then the others of the template.
Json volumes_of(const Json& set, const Json& spec, std::int64_t ordinal) {
  Json result = Json::array();
  std::vector<std::string> claimed;
  for (const Json& claim : elements(field(set, "spec", "volumeClaimTemplates"))) {
    claimed.push_back(text(field(claim, "metadata", "name")));
    result.push_back({{"name", claimed.back()},
                      {"persistentVolumeClaim", {{"claimName", claim_name(set, claim, ordinal)}}}});
  }
  for (const Json& volume : elements(field(spec, "volumes"))) {
    if (std::ranges::count(claimed, text(field(volume, "name"))) == 0) result.push_back(volume);
  }
  return result;
}

}  // namespace

std::optional<std::int64_t> ordinal_of(const Json& set, const Json& pod) {
  const std::string name = text(field(pod, "metadata", "name"));
  const std::string prefix = text(field(set, "metadata", "name")) + "-";
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

}  // namespace kinf::sandbox
