// SPDX-License-Identifier: Apache-2.0
// Sources: the discovery documents of a kube-apiserver, and the strategies and selectable fields of
// each type in kubernetes pkg/registry.
#include "kinf/kubernetes/built_in_types.h"

#include <algorithm>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

constexpr SelectableField kPodFields[] = {{"spec.nodeName"},
                                          {"spec.restartPolicy"},
                                          {"spec.schedulerName"},
                                          {"spec.serviceAccountName"},
                                          {"spec.hostNetwork", "", "false"},
                                          {"status.phase"},
                                          {"status.podIP"},
                                          {"status.nominatedNodeName"}};
constexpr SelectableField kEventFields[] = {{"involvedObject.kind"},
                                            {"involvedObject.namespace"},
                                            {"involvedObject.name"},
                                            {"involvedObject.uid"},
                                            {"involvedObject.apiVersion"},
                                            {"involvedObject.resourceVersion"},
                                            {"involvedObject.fieldPath"},
                                            {"reason"},
                                            {"reportingComponent", "source.component"},
                                            {"source", "source.component"},
                                            {"type"}};
constexpr SelectableField kPhaseField[] = {{"status.phase"}};
constexpr SelectableField kNodeFields[] = {{"spec.unschedulable", "", "false"}};
constexpr SelectableField kTypeField[] = {{"type"}};
constexpr SelectableField kServiceFields[] = {{"spec.clusterIP"}, {"spec.type"}};
constexpr SelectableField kJobFields[] = {{"status.successful", "status.succeeded", "0"}};
constexpr SelectableField kReplicasField[] = {{"status.replicas", "", "0"}};

constexpr unsigned bit(TypeTrait trait) { return static_cast<unsigned>(trait); }
constexpr unsigned kCluster = bit(TypeTrait::cluster_scoped);
constexpr unsigned kStatus = bit(TypeTrait::has_status);
constexpr unsigned kCounts = bit(TypeTrait::counts_changes);
constexpr unsigned kWorkload = bit(TypeTrait::has_pod_template) | kCounts | kStatus;
constexpr unsigned kScaled = kWorkload | bit(TypeTrait::has_scale);
constexpr unsigned kKeeps = bit(TypeTrait::keeps_dependents);
constexpr unsigned kElsewhere = bit(TypeTrait::sandbox_lacks);

constexpr BuiltInType row(std::string_view group, std::string_view version,
                          std::string_view resource, std::string_view kind,
                          std::array<std::string_view, 2> short_names = {},
                          std::string_view category = {}, unsigned traits = 0,
                          std::span<const SelectableField> fields = {}) {
  return {group, version, resource, kind, short_names, category, traits, fields};
}

// The group is repeated in each row, so that a text search for a type finds its complete row.
constexpr std::array kTypes = std::to_array<BuiltInType>({
    row("", "v1", "configmaps", "ConfigMap", {"cm"}),
    row("", "v1", "endpoints", "Endpoints", {"ep"}),
    row("", "v1", "events", "Event", {"ev"}, "", 0, kEventFields),
    row("", "v1", "limitranges", "LimitRange", {"limits"}),
    row("", "v1", "namespaces", "Namespace", {"ns"}, "",
        kCluster | kStatus | bit(TypeTrait::holds_objects), kPhaseField),
    row("", "v1", "nodes", "Node", {"no"}, "", kCluster | kStatus | bit(TypeTrait::reports_itself),
        kNodeFields),
    row("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", {"pvc"}, "", kStatus),
    row("", "v1", "persistentvolumes", "PersistentVolume", {"pv"}, "", kCluster | kStatus),
    row("", "v1", "pods", "Pod", {"po"}, "all", kStatus | kCounts | bit(TypeTrait::runs_on_node),
        kPodFields),
    row("", "v1", "replicationcontrollers", "ReplicationController", {"rc"}, "all",
        kScaled | kKeeps, kReplicasField),
    row("", "v1", "resourcequotas", "ResourceQuota", {"quota"}, "", kStatus),
    row("", "v1", "secrets", "Secret", {}, "", 0, kTypeField),
    row("", "v1", "serviceaccounts", "ServiceAccount", {"sa"}),
    row("", "v1", "services", "Service", {"svc"}, "all", kStatus, kServiceFields),
    row("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition",
        {"crd", "crds"}, "api-extensions",
        kCluster | kStatus | kCounts | bit(TypeTrait::defines_types)),
    row("apps", "v1", "controllerrevisions", "ControllerRevision"),
    row("apps", "v1", "daemonsets", "DaemonSet", {"ds"}, "all", kWorkload),
    row("apps", "v1", "deployments", "Deployment", {"deploy"}, "all", kScaled),
    row("apps", "v1", "replicasets", "ReplicaSet", {"rs"}, "all", kScaled, kReplicasField),
    row("apps", "v1", "statefulsets", "StatefulSet", {"sts"}, "all", kScaled),
    row("batch", "v1", "cronjobs", "CronJob", {"cj"}, "all", kWorkload),
    row("batch", "v1", "jobs", "Job", {}, "all", kWorkload | kKeeps, kJobFields),
    row("coordination.k8s.io", "v1", "leases", "Lease"),
    row("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice"),
    row("networking.k8s.io", "v1", "ingresses", "Ingress", {"ing"}, "", kStatus | kCounts),
    row("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", {"netpol"}, "", kCounts),
    row("rbac.authorization.k8s.io", "v1", "clusterrolebindings", "ClusterRoleBinding", {}, "",
        kCluster),
    row("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", {}, "", kCluster),
    row("rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding"),
    row("rbac.authorization.k8s.io", "v1", "roles", "Role"),
    row("autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", {"hpa"}, "all",
        kStatus),
    row("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", {"pdb"}, "",
        kStatus | kCounts),
    row("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", {"pc"}, "", kCluster),
    row("storage.k8s.io", "v1", "storageclasses", "StorageClass", {"sc"}, "", kCluster),
    // The types that the sandbox does not serve.
    row("events.k8s.io", "v1", "events", "Event", {"ev"}, "", kElsewhere),
    row("certificates.k8s.io", "v1", "certificatesigningrequests", "CertificateSigningRequest",
        {"csr"}, "", kCluster | kStatus | kElsewhere),
});

}  // namespace

std::string BuiltInType::singular() const { return to_lower(kind); }

bool BuiltInType::is_called(std::string_view name) const {
  return !name.empty() &&
         (name == resource || name == singular() || std::ranges::count(short_names, name) > 0);
}

std::span<const BuiltInType> built_in_types() { return kTypes; }

const BuiltInType* find_built_in_type(std::string_view group, std::string_view resource) {
  const auto* const found = std::ranges::find_if(kTypes, [&](const BuiltInType& type) {
    return type.resource == resource && type.group == group;
  });
  return found == kTypes.end() ? nullptr : found;
}

const BuiltInType* find_built_in_kind(std::string_view api_version, std::string_view kind) {
  const std::size_t slash = api_version.rfind('/');
  const std::string_view group =
      slash == std::string_view::npos ? "" : api_version.substr(0, slash);
  const std::string_view version = api_version.substr(slash + 1);
  const auto* const found = std::ranges::find_if(kTypes, [&](const BuiltInType& type) {
    return type.kind == kind && type.group == group && type.version == version;
  });
  return found == kTypes.end() ? nullptr : found;
}

}  // namespace kinf
