// SPDX-License-Identifier: Apache-2.0
#include "kinf/kubernetes/rollout_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kinf/base/ascii.h"
#include "kinf/kubernetes/json_fields.h"

namespace kinf {
namespace {

using fields::field;
using fields::text;
using Json = nlohmann::json;
using Phase = Rollout::Phase;

/// Returns the number in `json`, within limits that keep differences of two numbers valid.
std::int64_t number(const Json& json) {
  constexpr std::int64_t kBound = std::int64_t{1} << 60;
  return std::clamp(fields::integer_or(json, 0), -kBound, kBound);
}

/// Returns whether the controller has not seen the current generation yet.
bool is_unobserved(const Json& document) {
  return number(field(document, "metadata", "generation")) >
         number(field(document, "status", "observedGeneration"));
}

bool has_exceeded_deadline(const Json& status) {
  for (const Json& condition : fields::elements(field(status, "conditions"))) {
    if (text(field(condition, "type")) == "Progressing") {
      return text(field(condition, "reason")) == "ProgressDeadlineExceeded";
    }
  }
  return false;
}

/// Returns the revision in the annotation of the controller; 0 if there is none.
std::int64_t revision_of(const Json& document) {
  const Json& annotations = field(document, "metadata", "annotations");
  return parse_number<std::int64_t>(text(field(annotations, "deployment.kubernetes.io/revision")))
      .value_or(0);
}

Rollout deployment_rollout(const Json& document, std::optional<std::int64_t> revision) {
  const Json& status = field(document, "status");
  if (revision && revision_of(document) != *revision) {
    return {Phase::failed, fmt::format("desired revision ({}) is different from the running "
                                       "revision ({})",
                                       *revision, revision_of(document))};
  }
  if (has_exceeded_deadline(status)) return {Phase::failed, "exceeded its progress deadline"};
  const std::int64_t wanted = number(field(document, "spec", "replicas"));
  const std::int64_t updated = number(field(status, "updatedReplicas"));
  const std::int64_t old = number(field(status, "replicas")) - updated;
  const std::int64_t available = number(field(status, "availableReplicas"));
  if (updated < wanted) {
    return {Phase::under_way,
            fmt::format("{} out of {} new replicas have been updated", updated, wanted)};
  }
  if (old > 0) {
    return {Phase::under_way, fmt::format("{} old replicas are pending termination", old)};
  }
  if (available < updated) {
    return {Phase::under_way,
            fmt::format("{} of {} updated replicas are available", available, updated)};
  }
  return {Phase::complete, "successfully rolled out"};
}

Rollout daemon_set_rollout(const Json& document) {
  const Json& status = field(document, "status");
  const std::int64_t wanted = number(field(status, "desiredNumberScheduled"));
  const std::int64_t updated = number(field(status, "updatedNumberScheduled"));
  const std::int64_t available = number(field(status, "numberAvailable"));
  if (updated < wanted) {
    return {Phase::under_way,
            fmt::format("{} out of {} new pods have been updated", updated, wanted)};
  }
  if (available < wanted) {
    return {Phase::under_way,
            fmt::format("{} of {} updated pods are available", available, wanted)};
  }
  return {Phase::complete, "successfully rolled out"};
}

Rollout stateful_set_rollout(const Json& document) {
  const Json& status = field(document, "status");
  const std::optional<std::int64_t> wanted =
      field(document, "spec", "replicas").is_number_integer()
          ? std::optional(number(field(document, "spec", "replicas")))
          : std::nullopt;
  const std::int64_t ready = number(field(status, "readyReplicas"));
  const std::int64_t updated = number(field(status, "updatedReplicas"));
  if (wanted && ready < *wanted) {
    return {Phase::under_way, fmt::format("waiting for {} pods to be ready", *wanted - ready)};
  }
  const Json& partition = field(document, "spec", "updateStrategy", "rollingUpdate", "partition");
  if (wanted && partition.is_number_integer()) {
    const std::int64_t new_pods = *wanted - number(partition);
    if (updated >= new_pods) return {Phase::complete, fmt::format("{} new pods", updated)};
    return {Phase::under_way,
            fmt::format("{} out of {} new pods have been updated", updated, new_pods)};
  }
  const std::string update = text(field(status, "updateRevision"));
  if (update != text(field(status, "currentRevision"))) {
    return {Phase::under_way, fmt::format("{} pods at revision {}", updated, update)};
  }
  return {Phase::complete,
          fmt::format("{} pods at revision {}", number(field(status, "currentReplicas")), update)};
}

}  // namespace

bool has_rollout(std::string_view group, std::string_view kind) {
  return group == "apps" && (kind == "Deployment" || kind == "StatefulSet" || kind == "DaemonSet");
}

Rollout rollout_of(std::string_view kind, const Json& document,
                   std::optional<std::int64_t> revision) {
  const bool is_stateful_set = kind == "StatefulSet";
  const Json& status = field(document, "status");
  if (kind != "Deployment" &&
      text(field(document, "spec", "updateStrategy", "type")) != "RollingUpdate") {
    return {Phase::manual, "rollout status is only available for RollingUpdate strategy type"};
  }
  const bool never_observed = is_stateful_set && number(field(status, "observedGeneration")) == 0;
  if (never_observed || is_unobserved(document)) {
    return {Phase::under_way, "the controller has not seen the change yet"};
  }
  if (is_stateful_set) return stateful_set_rollout(document);
  return kind == "DaemonSet" ? daemon_set_rollout(document)
                             : deployment_rollout(document, revision);
}

}  // namespace kinf
