// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/workload_defaults.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "kinf/base/ascii.h"

namespace kinf::sandbox {
namespace {

/// Returns the pod template of a spec, without the creationTimestamp. kubectl sends it as null,
/// which would make equal templates differ.
Json& pod_template_of(Json& spec) {
  Json& pod_template = object_at(spec, "template");
  if (pod_template.contains("metadata") && pod_template["metadata"].is_object()) {
    pod_template["metadata"].erase("creationTimestamp");
  }
  return pod_template;
}

void default_deployment_spec(Json& spec) {
  set_default(spec, "strategy", {{"type", "RollingUpdate"}});
  Json& strategy = object_at(spec, "strategy");
  set_default(strategy, "type", "RollingUpdate");
  if (strategy["type"] == "RollingUpdate") {
    Json& limits = object_at(strategy, "rollingUpdate");
    set_default(limits, "maxUnavailable", "25%");
    set_default(limits, "maxSurge", "25%");
  }
  set_default(spec, "revisionHistoryLimit", 10);
  set_default(spec, "progressDeadlineSeconds", 600);
}

void default_claim(Json& claim) {
  if (!claim.is_object()) return;
  claim["apiVersion"] = "v1";
  claim["kind"] = "PersistentVolumeClaim";
  set_default(object_at(claim, "spec"), "volumeMode", "Filesystem");
  set_default(claim, "status", {{"phase", "Pending"}});
  if (claim.contains("metadata")) object_at(claim, "metadata").erase("creationTimestamp");
}

void default_stateful_set_spec(Json& spec) {
  set_default(spec, "podManagementPolicy", "OrderedReady");
  Json& strategy = object_at(spec, "updateStrategy");
  set_default(strategy, "type", "RollingUpdate");
  if (strategy["type"] == "RollingUpdate") {
    set_default(object_at(strategy, "rollingUpdate"), "partition", 0);
  }
  set_default(spec, "persistentVolumeClaimRetentionPolicy",
              {{"whenDeleted", "Retain"}, {"whenScaled", "Retain"}});
  set_default(spec, "revisionHistoryLimit", 10);
  if (!spec.contains("volumeClaimTemplates")) return;
  if (!spec["volumeClaimTemplates"].is_array()) return;
  for (Json& claim : spec["volumeClaimTemplates"]) default_claim(claim);
}

void default_daemon_set_spec(Json& spec) {
  Json& strategy = object_at(spec, "updateStrategy");
  set_default(strategy, "type", "RollingUpdate");
  if (strategy["type"] == "RollingUpdate") {
    Json& limits = object_at(strategy, "rollingUpdate");
    set_default(limits, "maxUnavailable", 1);
    set_default(limits, "maxSurge", 0);
  }
  set_default(spec, "revisionHistoryLimit", 10);
}

void default_job_spec(Json& spec) {
  const bool has_number = spec.contains("completions") || spec.contains("parallelism");
  set_default(spec, "parallelism", 1);
  if (!has_number) set_default(spec, "completions", 1);
  set_default(spec, "backoffLimit", 6);
  set_default(spec, "manualSelector", false);
  set_default(spec, "completionMode", "NonIndexed");
  set_default(spec, "suspend", false);
  set_default(spec, "podReplacementPolicy",
              spec.contains("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
}

void default_cron_job_spec(Json& spec) {
  set_default(spec, "concurrencyPolicy", "Allow");
  set_default(spec, "suspend", false);
  set_default(spec, "successfulJobsHistoryLimit", 3);
  set_default(spec, "failedJobsHistoryLimit", 1);
  Json& job_spec = object_at(object_at(spec, "jobTemplate"), "spec");
  default_pod_spec(object_at(pod_template_of(job_spec), "spec"));
}

}  // namespace

void set_default(Json& object, const char* key, Json value) {
  if (!object.contains(key)) object[key] = std::move(value);
}

void default_pod_spec(Json& spec) {
  for (const char* list : {"initContainers", "containers"}) {
    if (!spec.contains(list) || !spec[list].is_array()) continue;
    for (Json& container : spec[list]) {
      if (!container.is_object()) continue;
      set_default(container, "resources", Json::object());
      set_default(container, "terminationMessagePath", "/dev/termination-log");
      set_default(container, "terminationMessagePolicy", "File");
      set_default(container, "imagePullPolicy", "IfNotPresent");
    }
  }
  set_default(spec, "restartPolicy", "Always");
  set_default(spec, "terminationGracePeriodSeconds", 30);
  set_default(spec, "dnsPolicy", "ClusterFirst");
  set_default(spec, "securityContext", Json::object());
  set_default(spec, "schedulerName", "default-scheduler");
}

bool is_workload(const ApiType& type) {
  constexpr std::array kKinds = {"CronJob",    "DaemonSet",   "Deployment",           "Job",
                                 "ReplicaSet", "StatefulSet", "ReplicationController"};
  return !type.custom && std::ranges::count(kKinds, type.kind) > 0;
}

void default_workload_spec(const ApiType& type, Json& spec) {
  if (type.kind == "CronJob") return default_cron_job_spec(spec);
  if (type.has_scale) set_default(spec, "replicas", 1);
  default_pod_spec(object_at(pod_template_of(spec), "spec"));
  if (type.kind == "Deployment") default_deployment_spec(spec);
  if (type.kind == "StatefulSet") default_stateful_set_spec(spec);
  if (type.kind == "DaemonSet") default_daemon_set_spec(spec);
  if (type.kind == "Job") default_job_spec(spec);
}

void count_templates(Json& daemon_set, const Json& before) {
  constexpr const char* kCount = "deprecated.daemonset.template.generation";
  if (before.is_null() && field(daemon_set, "metadata", "annotations", kCount).is_string()) return;
  const std::string count = text(field(before, "metadata", "annotations", kCount));
  const bool is_new = field(daemon_set, "spec", "template") != field(before, "spec", "template");
  const auto number = parse_number<std::int64_t>(count).value_or(0) + (is_new ? 1 : 0);
  object_at(object_at(daemon_set, "metadata"), "annotations")[kCount] = std::to_string(number);
}

void generate_job_selector(Json& job) {
  Json& spec = object_at(job, "spec");
  if (field(spec, "manualSelector") == Json(true) || spec.contains("selector")) return;
  const std::string name = text(field(job, "metadata", "name"));
  const std::string uid = text(field(job, "metadata", "uid"));
  Json& labels = object_at(object_at(object_at(spec, "template"), "metadata"), "labels");
  for (const char* key : {"controller-uid", "batch.kubernetes.io/controller-uid"}) {
    set_default(labels, key, uid);
  }
  for (const char* key : {"job-name", "batch.kubernetes.io/job-name"}) {
    set_default(labels, key, name);
  }
  // A Job without labels of its own takes over those of its pods.
  if (field(job, "metadata", "labels").empty()) job["metadata"]["labels"] = labels;
  spec["selector"] = {{"matchLabels", {{"batch.kubernetes.io/controller-uid", uid}}}};
}

}  // namespace kinf::sandbox
