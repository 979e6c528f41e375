// SPDX-License-Identifier: Apache-2.0
// Source: the discovery documents of a kube-apiserver; kubernetes pkg/registry, the strategies and
// the selectable fields of each type.
#include "kinf/kubernetes/built_in_types.h"

#include <algorithm>

namespace kinf {
namespace {

constexpr std::array kPodFields = std::to_array<SelectableField>({{"spec.nodeName"},
                                                                  {"spec.restartPolicy"},
                                                                  {"spec.schedulerName"},
                                                                  {"spec.serviceAccountName"},
                                                                  {"spec.hostNetwork", "", "false"},
                                                                  {"status.phase"},
                                                                  {"status.podIP"},
                                                                  {"status.nominatedNodeName"}});
constexpr std::array kEventFields =
    std::to_array<SelectableField>({{"involvedObject.kind"},
                                    {"involvedObject.namespace"},
                                    {"involvedObject.name"},
                                    {"involvedObject.uid"},
                                    {"involvedObject.apiVersion"},
                                    {"involvedObject.resourceVersion"},
                                    {"involvedObject.fieldPath"},
                                    {"reason"},
                                    {"reportingComponent", "source.component"},
                                    {"source", "source.component"},
                                    {"type"}});
constexpr std::array kPhaseField = std::to_array<SelectableField>({{"status.phase"}});
constexpr std::array kNodeFields =
    std::to_array<SelectableField>({{"spec.unschedulable", "", "false"}});
constexpr std::array kTypeField = std::to_array<SelectableField>({{"type"}});
constexpr std::array kServiceFields =
    std::to_array<SelectableField>({{"spec.clusterIP"}, {"spec.type"}});
constexpr std::array kJobFields =
    std::to_array<SelectableField>({{"status.successful", "status.succeeded", "0"}});
constexpr std::array kReplicasField =
    std::to_array<SelectableField>({{"status.replicas", "", "0"}});

constexpr unsigned bit(TypeTrait trait) { return static_cast<unsigned>(trait); }
constexpr unsigned kCluster = bit(TypeTrait::cluster_scoped);
constexpr unsigned kStatus = bit(TypeTrait::has_status);
constexpr unsigned kCounts = bit(TypeTrait::counts_changes);
constexpr unsigned kWorkload = bit(TypeTrait::has_pod_template) | kCounts | kStatus;
constexpr unsigned kScaled = kWorkload | bit(TypeTrait::has_scale);
constexpr unsigned kKeeps = bit(TypeTrait::keeps_dependents);
constexpr unsigned kElsewhere = bit(TypeTrait::sandbox_lacks);

// The group is repeated in each row, so that a search for a type finds everything about it.
constexpr std::array kTypes = std::to_array<BuiltInType>({
    {"", "v1", "configmaps", "ConfigMap", "configmap", {"cm"}, "", 0},
    {"", "v1", "endpoints", "Endpoints", "endpoints", {"ep"}, "", 0},
    {"", "v1", "events", "Event", "event", {"ev"}, "", 0, kEventFields},
    {"", "v1", "limitranges", "LimitRange", "limitrange", {"limits"}, "", 0},
    {"",
     "v1",
     "namespaces",
     "Namespace",
     "namespace",
     {"ns"},
     "",
     kCluster | kStatus | bit(TypeTrait::holds_objects),
     kPhaseField},
    {"",
     "v1",
     "nodes",
     "Node",
     "node",
     {"no"},
     "",
     kCluster | kStatus | bit(TypeTrait::reports_itself),
     kNodeFields},
    {"",
     "v1",
     "persistentvolumeclaims",
     "PersistentVolumeClaim",
     "persistentvolumeclaim",
     {"pvc"},
     "",
     kStatus},
    {"",
     "v1",
     "persistentvolumes",
     "PersistentVolume",
     "persistentvolume",
     {"pv"},
     "",
     kCluster | kStatus},
    {"",
     "v1",
     "pods",
     "Pod",
     "pod",
     {"po"},
     "all",
     kStatus | kCounts | bit(TypeTrait::runs_on_node),
     kPodFields},
    {"",
     "v1",
     "replicationcontrollers",
     "ReplicationController",
     "replicationcontroller",
     {"rc"},
     "all",
     kScaled | kKeeps,
     kReplicasField},
    {"", "v1", "resourcequotas", "ResourceQuota", "resourcequota", {"quota"}, "", kStatus},
    {"", "v1", "secrets", "Secret", "secret", {}, "", 0, kTypeField},
    {"", "v1", "serviceaccounts", "ServiceAccount", "serviceaccount", {"sa"}, "", 0},
    {"", "v1", "services", "Service", "service", {"svc"}, "all", kStatus, kServiceFields},
    {"apiextensions.k8s.io",
     "v1",
     "customresourcedefinitions",
     "CustomResourceDefinition",
     "customresourcedefinition",
     {"crd", "crds"},
     "api-extensions",
     kCluster | kStatus | kCounts | bit(TypeTrait::defines_types)},
    {"apps", "v1", "controllerrevisions", "ControllerRevision", "controllerrevision", {}, "", 0},
    {"apps", "v1", "daemonsets", "DaemonSet", "daemonset", {"ds"}, "all", kWorkload},
    {"apps", "v1", "deployments", "Deployment", "deployment", {"deploy"}, "all", kScaled},
    {"apps",
     "v1",
     "replicasets",
     "ReplicaSet",
     "replicaset",
     {"rs"},
     "all",
     kScaled,
     kReplicasField},
    {"apps", "v1", "statefulsets", "StatefulSet", "statefulset", {"sts"}, "all", kScaled},
    {"batch", "v1", "cronjobs", "CronJob", "cronjob", {"cj"}, "all", kWorkload},
    {"batch", "v1", "jobs", "Job", "job", {}, "all", kWorkload | kKeeps, kJobFields},
    {"coordination.k8s.io", "v1", "leases", "Lease", "lease", {}, "", 0},
    {"discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", "endpointslice", {}, "", 0},
    {"networking.k8s.io", "v1", "ingresses", "Ingress", "ingress", {"ing"}, "", kStatus | kCounts},
    {"networking.k8s.io",
     "v1",
     "networkpolicies",
     "NetworkPolicy",
     "networkpolicy",
     {"netpol"},
     "",
     kCounts},
    {"rbac.authorization.k8s.io",
     "v1",
     "clusterrolebindings",
     "ClusterRoleBinding",
     "clusterrolebinding",
     {},
     "",
     kCluster},
    {"rbac.authorization.k8s.io",
     "v1",
     "clusterroles",
     "ClusterRole",
     "clusterrole",
     {},
     "",
     kCluster},
    {"rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding", "rolebinding", {}, "", 0},
    {"rbac.authorization.k8s.io", "v1", "roles", "Role", "role", {}, "", 0},
    // The types that the sandbox does not serve.
    {"events.k8s.io", "v1", "events", "Event", "event", {"ev"}, "", kElsewhere},
    {"autoscaling",
     "v2",
     "horizontalpodautoscalers",
     "HorizontalPodAutoscaler",
     "horizontalpodautoscaler",
     {"hpa"},
     "all",
     kStatus | kElsewhere},
    {"certificates.k8s.io",
     "v1",
     "certificatesigningrequests",
     "CertificateSigningRequest",
     "certificatesigningrequest",
     {"csr"},
     "",
     kCluster | kStatus | kElsewhere},
    {"policy",
     "v1",
     "poddisruptionbudgets",
     "PodDisruptionBudget",
     "poddisruptionbudget",
     {"pdb"},
     "",
     kStatus | kCounts | kElsewhere},
    {"scheduling.k8s.io",
     "v1",
     "priorityclasses",
     "PriorityClass",
     "priorityclass",
     {"pc"},
     "",
     kCluster | kElsewhere},
    {"storage.k8s.io",
     "v1",
     "storageclasses",
     "StorageClass",
     "storageclass",
     {"sc"},
     "",
     kCluster | kElsewhere},
});

}  // namespace

bool BuiltInType::is_called(std::string_view name) const {
  return !name.empty() &&
         (name == resource || name == singular || std::ranges::count(short_names, name) > 0);
}

std::span<const BuiltInType> built_in_types() { return kTypes; }

const BuiltInType* find_built_in_type(std::string_view group, std::string_view resource) {
  const auto* const found = std::ranges::find_if(kTypes, [&](const BuiltInType& type) {
    return type.resource == resource && type.group == group;
  });
  return found == kTypes.end() ? nullptr : found;
}

const BuiltInType* find_built_in_kind(std::string_view api_version, std::string_view kind) {
  const std::size_t slash = api_version.find('/');
  const std::string_view group =
      slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
  const std::string_view version =
      slash == std::string_view::npos ? api_version : api_version.substr(slash + 1);
  const auto* const found = std::ranges::find_if(kTypes, [&](const BuiltInType& type) {
    return type.kind == kind && type.group == group && type.version == version;
  });
  return found == kTypes.end() ? nullptr : found;
}

}  // namespace kinf
