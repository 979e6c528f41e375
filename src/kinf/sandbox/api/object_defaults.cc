// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/object_defaults.h"

#include <algorithm>

#include "kinf/sandbox/api/workload_defaults.h"

namespace kinf::sandbox {
namespace {

void default_service_spec(Json& spec) {
  set_default(spec, "type", "ClusterIP");
  set_default(spec, "sessionAffinity", "None");
  if (!spec.contains("ports") || !spec["ports"].is_array()) return;
  for (Json& port : spec["ports"]) {
    if (!port.is_object()) continue;
    set_default(port, "protocol", "TCP");
    if (port.contains("port")) set_default(port, "targetPort", port["port"]);
  }
}

Json condition(const char* type, const char* reason, const char* message, const std::string& now) {
  return {{"type", type},
          {"status", "True"},
          {"lastTransitionTime", now},
          {"reason", reason},
          {"message", message}};
}

Json definition_status(const Json& definition, const std::string& now) {
  Json status = {{"conditions",
                  Json::array({condition("NamesAccepted", "NoConflicts", "no conflicts found", now),
                               condition("Established", "InitialNamesAccepted",
                                         "the initial names have been accepted", now)})},
                 {"acceptedNames", field(definition, "spec", "names")},
                 {"storedVersions", Json::array()}};
  for (const Json& version : elements(field(definition, "spec", "versions"))) {
    if (field(version, "storage") == Json(true)) {
      status["storedVersions"].push_back(field(version, "name"));
    }
  }
  return status;
}

}  // namespace

void default_spec(const ApiType& type, Json& object) {
  if (type.custom) return;
  const std::string& kind = type.kind;
  if (kind == "Pod") {
    default_pod_spec(object_at(object, "spec"));
  } else if (kind == "Service") {
    default_service_spec(object_at(object, "spec"));
  } else if (is_workload(type)) {
    default_workload_spec(type, object_at(object, "spec"));
  } else if (kind == "Namespace") {
    object_at(object, "spec")["finalizers"] = {"kubernetes"};
    // Copy the name first, because adding a member moves the others in memory.
    const std::string name = text(field(object, "metadata", "name"));
    object_at(object["metadata"], "labels")["kubernetes.io/metadata.name"] = name;
  }
}

void initial_status(const ApiType& type, Json& object, const std::string& now) {
  const std::string& kind = type.kind;
  if (!type.has_status || kind == "Node") return;
  object.erase("status");
  if (type.custom) return;
  if (kind == "Pod") {
    object["status"] = {{"phase", "Pending"}, {"qosClass", "BestEffort"}};
  } else if (kind == "Namespace") {
    object["status"] = {{"phase", "Active"}};
  } else if (kind == "Service") {
    object["status"] = {{"loadBalancer", Json::object()}};
  } else if (kind == "CustomResourceDefinition") {
    object["status"] = definition_status(object, now);
  } else if (kind == "DaemonSet") {
    object["status"] = {{"currentNumberScheduled", 0},
                        {"numberMisscheduled", 0},
                        {"desiredNumberScheduled", 0},
                        {"numberReady", 0}};
  } else if (kind == "PersistentVolumeClaim") {
    object["status"] = {{"phase", "Pending"}};
  } else if (kind == "StatefulSet") {
    object["status"] = {{"replicas", 0}, {"availableReplicas", 0}};
  } else {
    object["status"] = Json::object();
  }
}

bool counts_generation(const ApiType& type) {
  const std::string& kind = type.kind;
  if (kind == "ControllerRevision") return false;
  return type.custom || type.gvr.group == "apps" || type.gvr.group == "batch" ||
         type.gvr.group == "networking.k8s.io" || kind == "Pod" ||
         kind == "ReplicationController" || kind == "CustomResourceDefinition";
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
