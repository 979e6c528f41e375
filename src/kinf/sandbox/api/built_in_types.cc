// SPDX-License-Identifier: Apache-2.0
// The built-in types, with the names and selectable fields of the real API server.
#include "kinf/sandbox/api/api_types.h"

namespace kinf::sandbox {
namespace {

enum Trait : unsigned {
  kCluster = 1,  ///< cluster-scoped
  kStatus = 2,   ///< has a status subresource
  kScale = 4,    ///< has a scale subresource
  kAll = 8,      ///< in the category `all`
};

struct Entry {
  const char* group;
  const char* version;
  const char* resource;
  const char* kind;
  const char* singular;
  const char* short_name;
  unsigned traits;
};

constexpr Entry kEntries[] = {
    {"", "v1", "configmaps", "ConfigMap", "configmap", "cm", 0},
    {"", "v1", "endpoints", "Endpoints", "endpoints", "ep", 0},
    {"", "v1", "events", "Event", "event", "ev", 0},
    {"", "v1", "limitranges", "LimitRange", "limitrange", "limits", 0},
    {"", "v1", "namespaces", "Namespace", "namespace", "ns", kCluster | kStatus},
    {"", "v1", "nodes", "Node", "node", "no", kCluster | kStatus},
    {"", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", "persistentvolumeclaim", "pvc",
     kStatus},
    {"", "v1", "persistentvolumes", "PersistentVolume", "persistentvolume", "pv",
     kCluster | kStatus},
    {"", "v1", "pods", "Pod", "pod", "po", kStatus | kAll},
    {"", "v1", "replicationcontrollers", "ReplicationController", "replicationcontroller", "rc",
     kStatus | kScale | kAll},
    {"", "v1", "resourcequotas", "ResourceQuota", "resourcequota", "quota", kStatus},
    {"", "v1", "secrets", "Secret", "secret", "", 0},
    {"", "v1", "serviceaccounts", "ServiceAccount", "serviceaccount", "sa", 0},
    {"", "v1", "services", "Service", "service", "svc", kStatus | kAll},
    {"apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition",
     "customresourcedefinition", "crd", kCluster | kStatus},
    {"apps", "v1", "controllerrevisions", "ControllerRevision", "controllerrevision", "", 0},
    {"apps", "v1", "daemonsets", "DaemonSet", "daemonset", "ds", kStatus | kAll},
    {"apps", "v1", "deployments", "Deployment", "deployment", "deploy", kStatus | kScale | kAll},
    {"apps", "v1", "replicasets", "ReplicaSet", "replicaset", "rs", kStatus | kScale | kAll},
    {"apps", "v1", "statefulsets", "StatefulSet", "statefulset", "sts", kStatus | kScale | kAll},
    {"batch", "v1", "cronjobs", "CronJob", "cronjob", "cj", kStatus | kAll},
    {"batch", "v1", "jobs", "Job", "job", "", kStatus | kAll},
    {"coordination.k8s.io", "v1", "leases", "Lease", "lease", "", 0},
    {"discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", "endpointslice", "", 0},
    {"networking.k8s.io", "v1", "ingresses", "Ingress", "ingress", "ing", kStatus},
    {"networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", "networkpolicy", "netpol", 0},
    {"rbac.authorization.k8s.io", "v1", "clusterrolebindings", "ClusterRoleBinding",
     "clusterrolebinding", "", kCluster},
    {"rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", "clusterrole", "", kCluster},
    {"rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding", "rolebinding", "", 0},
    {"rbac.authorization.k8s.io", "v1", "roles", "Role", "role", "", 0},
};

std::vector<std::string> selectable_fields(std::string_view resource) {
  if (resource == "pods") {
    return {
        "spec.nodeName",    "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
        "spec.hostNetwork", "status.phase",       "status.podIP",       "status.nominatedNodeName"};
  }
  if (resource == "events") {
    return {"involvedObject.kind",
            "involvedObject.namespace",
            "involvedObject.name",
            "involvedObject.uid",
            "involvedObject.apiVersion",
            "involvedObject.resourceVersion",
            "involvedObject.fieldPath",
            "reason",
            "reportingComponent",
            "source",
            "type"};
  }
  if (resource == "namespaces") return {"status.phase"};
  if (resource == "nodes") return {"spec.unschedulable"};
  if (resource == "secrets") return {"type"};
  if (resource == "services") return {"spec.clusterIP", "spec.type"};
  if (resource == "jobs") return {"status.successful"};
  if (resource == "replicasets" || resource == "replicationcontrollers") {
    return {"status.replicas"};
  }
  return {};
}

}  // namespace

std::vector<ApiType> built_in_types() {
  std::vector<ApiType> result;
  for (const Entry& entry : kEntries) {
    ApiType type;
    type.gvr = {entry.group, entry.version, entry.resource};
    type.kind = entry.kind;
    type.singular = entry.singular;
    type.namespaced = (entry.traits & kCluster) == 0;
    type.list_kind = std::string(entry.kind) + "List";
    if (*entry.short_name != '\0') type.short_names.push_back(entry.short_name);
    if ((entry.traits & kAll) != 0) type.categories.push_back("all");
    type.has_status = (entry.traits & kStatus) != 0;
    type.has_scale = (entry.traits & kScale) != 0;
    type.selectable_fields = selectable_fields(entry.resource);
    if (type.kind == "CustomResourceDefinition") {
      type.short_names = {"crd", "crds"};
      type.categories = {"api-extensions"};
    }
    result.push_back(std::move(type));
  }
  return result;
}

}  // namespace kinf::sandbox
