// SPDX-License-Identifier: Apache-2.0
// Source: kubernetes pkg/apis (core, apps and batch: defaults.go), pkg/registry/batch/job.
#include "kinf/sandbox/api/object_defaults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/base64.h"
#include "kinf/sandbox/api/object_condition.h"

namespace kinf::sandbox {
namespace {

/// Sets `object[key]` unless it exists.
void set_default(Json& object, const char* key, Json value) {
  if (!object.contains(key)) object[key] = std::move(value);
}

/// Calls `change` for each object in the array `object[key]`.
template <class Change>
void change_items(Json& object, const char* key, Change change) {
  if (!object.contains(key) || !object[key].is_array()) return;
  for (Json& item : object[key]) {
    if (item.is_object()) change(item);
  }
}

void default_pod_spec(Json& spec) {
  for (const char* list : {"initContainers", "containers"}) {
    change_items(spec, list, [](Json& container) {
      set_default(container, "resources", Json::object());
      set_default(container, "terminationMessagePath", "/dev/termination-log");
      set_default(container, "terminationMessagePolicy", "File");
      set_default(container, "imagePullPolicy", "IfNotPresent");
    });
  }
  set_default(spec, "restartPolicy", "Always");
  set_default(spec, "terminationGracePeriodSeconds", 30);
  set_default(spec, "dnsPolicy", "ClusterFirst");
  set_default(spec, "securityContext", Json::object());
  set_default(spec, "schedulerName", "default-scheduler");
}

/// Sets the defaults of an update strategy. Sets `limits` only for a rolling update.
void default_strategy(Json& spec, const char* key,
                      std::initializer_list<std::pair<const char*, Json>> limits) {
  Json& strategy = object_at(spec, key);
  set_default(strategy, "type", "RollingUpdate");
  if (strategy["type"] != "RollingUpdate") return;
  Json& rolling = object_at(strategy, "rollingUpdate");
  for (const auto& [limit, value] : limits) set_default(rolling, limit, value);
}

/// Returns the pod template of a spec. Removes its creationTimestamp, because kubectl sends it as
/// null, which would make equal templates differ.
Json& pod_template_of(Json& spec) {
  Json& pod_template = object_at(spec, "template");
  if (pod_template.contains("metadata") && pod_template["metadata"].is_object()) {
    pod_template["metadata"].erase("creationTimestamp");
  }
  return pod_template;
}

/// Sets the defaults of the pod template in a spec. default_scaled() also sets the replicas.
void default_template(Json& spec) { default_pod_spec(object_at(pod_template_of(spec), "spec")); }

void default_scaled(Json& spec) {
  set_default(spec, "replicas", 1);
  default_template(spec);
}

void default_deployment_spec(Json& spec) {
  default_scaled(spec);
  default_strategy(spec, "strategy", {{"maxUnavailable", "25%"}, {"maxSurge", "25%"}});
  set_default(spec, "revisionHistoryLimit", 10);
  set_default(spec, "progressDeadlineSeconds", 600);
}

void default_claim(Json& claim) {
  claim["apiVersion"] = "v1";
  claim["kind"] = "PersistentVolumeClaim";
  set_default(object_at(claim, "spec"), "volumeMode", "Filesystem");
  set_default(claim, "status", {{"phase", "Pending"}});
  if (claim.contains("metadata")) object_at(claim, "metadata").erase("creationTimestamp");
}

void default_stateful_set_spec(Json& spec) {
  default_scaled(spec);
  set_default(spec, "podManagementPolicy", "OrderedReady");
  default_strategy(spec, "updateStrategy", {{"partition", 0}});
  set_default(spec, "persistentVolumeClaimRetentionPolicy",
              {{"whenDeleted", "Retain"}, {"whenScaled", "Retain"}});
  set_default(spec, "revisionHistoryLimit", 10);
  change_items(spec, "volumeClaimTemplates", default_claim);
}

void default_daemon_set_spec(Json& spec) {
  default_template(spec);
  default_strategy(spec, "updateStrategy", {{"maxUnavailable", 1}, {"maxSurge", 0}});
  set_default(spec, "revisionHistoryLimit", 10);
}

void default_job_spec(Json& spec) {
  default_template(spec);
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
  default_template(object_at(object_at(spec, "jobTemplate"), "spec"));
}

void default_service_spec(Json& spec) {
  set_default(spec, "type", "ClusterIP");
  set_default(spec, "sessionAffinity", "None");
  change_items(spec, "ports", [](Json& port) {
    set_default(port, "protocol", "TCP");
    if (port.contains("port")) set_default(port, "targetPort", port["port"]);
  });
}

void default_namespace_spec(Json& spec) { spec["finalizers"] = {"kubernetes"}; }

/// Gives a Service an address of 10.96.0.0/12. It follows from the name, so that runs are alike.
void assign_cluster_ip(Json& service, const Json& before) {
  Json& spec = object_at(service, "spec");
  if (text(field(spec, "type")) == "ExternalName") return;
  if (text(field(spec, "clusterIP")).empty()) {
    const std::string kept = text(field(before, "spec", "clusterIP"));
    std::uint32_t hash = 2166136261;  // FNV-1a
    for (const char c : text(field(service, "metadata", "namespace")) + "/" + name_of(service)) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
    }
    hash = (hash ^ (hash >> 20U)) & 0xFFFFFU;
    spec["clusterIP"] = !kept.empty()
                            ? kept
                            : fmt::format("10.{}.{}.{}", 96 + (hash >> 16U), (hash >> 8U) & 0xFFU,
                                          std::max(hash & 0xFFU, 1U));
  }
  spec["clusterIPs"] = Json::array({spec["clusterIP"]});
}

/// Adds a selector to a new Job, and the selected labels to its pod template, so that the Job
/// selects only its own pods. Does nothing if the Job already has a selector.
void generate_job_selector(Json& job, const Json& before) {
  if (!before.is_null()) return;
  Json& spec = object_at(job, "spec");
  if (field(spec, "manualSelector") == Json(true) || spec.contains("selector")) return;
  const std::string name = name_of(job);
  const std::string uid = uid_of(job);
  Json& labels = object_at(object_at(object_at(spec, "template"), "metadata"), "labels");
  for (const char* key : {"controller-uid", "batch.kubernetes.io/controller-uid"}) {
    set_default(labels, key, uid);
  }
  for (const char* key : {"job-name", "batch.kubernetes.io/job-name"}) {
    set_default(labels, key, name);
  }
  // A Job without labels gets the labels of its pods.
  if (field(job, "metadata", "labels").empty()) job["metadata"]["labels"] = labels;
  spec["selector"] = {{"matchLabels", {{"batch.kubernetes.io/controller-uid", uid}}}};
}

/// Increments the template generation, an annotation of a DaemonSet, if the pod template has
/// changed.
void count_templates(Json& daemon_set, const Json& before) {
  constexpr const char* kCount = "deprecated.daemonset.template.generation";
  if (before.is_null() && field(daemon_set, "metadata", "annotations", kCount).is_string()) return;
  const std::string count = text(field(before, "metadata", "annotations", kCount));
  const bool is_new = field(daemon_set, "spec", "template") != field(before, "spec", "template");
  const auto number = parse_number<std::int64_t>(count).value_or(0) + (is_new ? 1 : 0);
  object_at(object_at(daemon_set, "metadata"), "annotations")[kCount] = std::to_string(number);
}

/// The values that the server adds to objects of a kind. A kind that is not in kDefaults has no
/// defaults and an empty status.
struct KindDefaults {
  std::string_view kind;
  void (*spec)(Json& spec) = nullptr;
  const char* status = "{}";
  /// See complete_object().
  void (*complete)(Json& object, const Json& before) = nullptr;
};

constexpr KindDefaults kDefaults[] = {
    {"CronJob", default_cron_job_spec},
    {"DaemonSet", default_daemon_set_spec,
     R"({"currentNumberScheduled":0,"numberMisscheduled":0,"desiredNumberScheduled":0,)"
     R"("numberReady":0})",
     count_templates},
    {"Deployment", default_deployment_spec},
    {"Job", default_job_spec, "{}", generate_job_selector},
    {"Namespace", default_namespace_spec, R"({"phase":"Active"})"},
    {"PersistentVolumeClaim", nullptr, R"({"phase":"Pending"})"},
    {"Pod", default_pod_spec, R"({"phase":"Pending","qosClass":"BestEffort"})"},
    {"ReplicaSet", default_scaled},
    {"ReplicationController", default_scaled},
    {"Service", default_service_spec, R"({"loadBalancer":{}})", assign_cluster_ip},
    {"StatefulSet", default_stateful_set_spec, R"({"replicas":0,"availableReplicas":0})"},
};

const KindDefaults& defaults_of(const ApiType& type) {
  static constexpr KindDefaults kNone;
  const auto* const found = std::ranges::find(kDefaults, type.kind, &KindDefaults::kind);
  return type.built_in == nullptr || found == std::end(kDefaults) ? kNone : *found;
}

Json definition_status(const Json& definition, const std::string& now) {
  Json status = Json::object();
  set_condition(status, "NamesAccepted", {"True", "NoConflicts", "no conflicts found"}, now);
  set_condition(status, "Established",
                {"True", "InitialNamesAccepted", "the initial names have been accepted"}, now);
  status["acceptedNames"] = field(definition, "spec", "names");
  status["storedVersions"] = Json::array();
  for (const Json& version : elements(field(definition, "spec", "versions"))) {
    if (field(version, "storage") == Json(true)) {
      status["storedVersions"].push_back(field(version, "name"));
    }
  }
  return status;
}

}  // namespace

void replace_input_members(const ApiType& type, Json& object) {
  if (type.kind != "Secret" || type.built_in == nullptr) return;
  set_default(object, "type", "Opaque");
  const Json given = field(object, "stringData");
  object.erase("stringData");
  if (!given.is_object() || given.empty()) return;
  Json& data = object_at(object, "data");
  for (const auto& [key, value] : given.items()) data[key] = base64_encode(text(value));
}

void default_spec(const ApiType& type, Json& object) {
  const KindDefaults& defaults = defaults_of(type);
  if (defaults.spec != nullptr) defaults.spec(object_at(object, "spec"));
  if (!type.has(TypeTrait::holds_objects)) return;
  // Copy the name first, because adding a member moves the other members in memory.
  const std::string name = name_of(object);
  object_at(object["metadata"], "labels")["kubernetes.io/metadata.name"] = name;
}

void initial_status(const ApiType& type, Json& object, const std::string& now) {
  if (!type.has_status || type.has(TypeTrait::reports_itself)) return;
  object.erase("status");
  if (type.custom) return;
  object["status"] = type.has(TypeTrait::defines_types) ? definition_status(object, now)
                                                        : *parse_json(defaults_of(type).status);
}

void complete_object(const ApiType& type, Json& object, const Json& before) {
  const KindDefaults& defaults = defaults_of(type);
  if (defaults.complete != nullptr) defaults.complete(object, before);
}

bool counts_generation(const ApiType& type) {
  return type.custom || type.has(TypeTrait::counts_changes);
}

std::string name_problem(const ApiType& type, const std::string& name) {
  if (type.gvr.group == "rbac.authorization.k8s.io") {
    const bool is_path = name == "." || name == ".." || name.find_first_of("/%") != name.npos;
    return is_path ? "may not be '.', '..' or contain '/' or '%'" : "";
  }
  if (name.size() > 253) return "must be no more than 253 bytes";
  const auto alphanumeric = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  bool valid = !name.empty() && alphanumeric(name.front()) && alphanumeric(name.back());
  for (std::size_t i = 0; valid && i < name.size(); ++i) {
    const char c = name[i];
    valid = alphanumeric(c) || c == '-' ||
            (c == '.' && alphanumeric(name[i - 1]) && alphanumeric(name[i + 1]));
  }
  if (valid) return "";
  return "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' "
         "or '.', and must start and end with an alphanumeric character (e.g. 'example.com', "
         "regex used for validation is "
         "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
}

}  // namespace kinf::sandbox
