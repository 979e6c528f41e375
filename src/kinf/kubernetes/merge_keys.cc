// SPDX-License-Identifier: Apache-2.0
// Source: the tags and markers of the fields in k8s.io/api and k8s.io/apimachinery.
#include "kinf/kubernetes/merge_keys.h"

#include <algorithm>
#include <array>

namespace kinf {
namespace {

constexpr MergeKey kValue{""};
constexpr MergeKey kName{"name"};
constexpr MergeKey kType{"type"};
constexpr MergeKey kIp{"ip"};
constexpr MergeKey kUid{"uid"};
constexpr MergeKey kMountPath{"mountPath"};
constexpr MergeKey kDevicePath{"devicePath"};
constexpr MergeKey kConditionType{"conditionType"};
constexpr MergeKey kTaint{"key", "effect", ':'};
constexpr MergeKey kTopology{"topologyKey", "whenUnsatisfiable"};
constexpr MergeKey kContainerPort{"containerPort", "protocol", '/', true};
constexpr MergeKey kPort{"port", "protocol", '/', true};

// Values for ListField::is_merged and has_owners. If both are false, the list is replaced and owned
// as a whole, and its merge key is used only for diffs.
constexpr bool kMerged = true;
constexpr bool kOwners = true;

/// Sorted by name. If several rows have the same name, find_list() returns the first one that
/// matches.
constexpr std::array kLists = std::to_array<ListField>({
    {"addresses", "status", &kType, kMerged, kOwners},
    {"allocatedResourcesStatus", "", &kName, kMerged, kOwners},
    {"claims", "resources", &kName, false, kOwners},
    {"conditions", "status", &kType, kMerged, false, "Job"},
    {"conditions", "", &kType, kMerged, kOwners},
    {"containerStatuses", "", &kName},
    {"containers", "", &kName, kMerged, kOwners},
    {"drivers", "spec", &kName, kMerged, kOwners},
    {"env", "", &kName, kMerged, kOwners},
    {"ephemeralContainerStatuses", "", &kName},
    {"ephemeralContainers", "", &kName, kMerged, kOwners},
    {"finalizers", "spec", &kValue},  // in a Namespace
    {"finalizers", "", &kValue, kMerged, kOwners},
    {"hostAliases", "", &kIp, kMerged, kOwners},
    {"hostIPs", "", &kIp, kMerged},
    {"imagePullSecrets", "spec", &kName, kMerged, kOwners},
    {"imagePullSecrets", "", &kName},  // in a ServiceAccount
    {"initContainerStatuses", "", &kName},
    {"initContainers", "", &kName, kMerged, kOwners},
    {"matchConditions", "", &kName, kMerged, kOwners},
    {"ownerReferences", "", &kUid, kMerged, kOwners},
    {"podCIDRs", "", &kValue, kMerged, kOwners},
    {"podIPs", "", &kIp, kMerged, kOwners},
    {"ports", "containers", &kContainerPort, kMerged, kOwners},
    {"ports", "ephemeralContainers", &kContainerPort, kMerged, kOwners},
    {"ports", "initContainers", &kContainerPort, kMerged, kOwners},
    {"ports", "spec", &kPort, kMerged, kOwners},  // in a Service
    {"readinessGates", "", &kConditionType},
    {"resourceClaimStatuses", "", &kName, kMerged, kOwners},
    {"resourceClaims", "", &kName, kMerged, kOwners},
    {"schedulingGates", "", &kName, kMerged, kOwners},
    {"secrets", "", &kName, kMerged, kOwners},
    {"taints", "", &kTaint},
    {"tolerations", "", &kTaint},
    {"topologySpreadConstraints", "", &kTopology, kMerged, kOwners},
    {"variables", "spec", &kName, kMerged, kOwners},
    {"volumeDevices", "", &kDevicePath, kMerged, kOwners},
    {"volumeMounts", "", &kMountPath, kMerged, kOwners},
    {"volumes", "", &kName, kMerged, kOwners},
    {"volumesAttached", "", &kName},
    {"volumesInUse", "", &kValue},
    {"webhooks", "", &kName, kMerged, kOwners},
});
static_assert(std::ranges::is_sorted(kLists, {}, &ListField::name));

}  // namespace

std::span<const ListField> lists_named(std::string_view name) {
  const auto found = std::ranges::equal_range(kLists, name, {}, &ListField::name);
  return {found.begin(), found.end()};
}

const ListField* find_list(std::string_view name, std::string_view parent, std::string_view kind) {
  for (const ListField& list : lists_named(name)) {
    if ((list.parent.empty() || list.parent == parent) &&
        (list.kind.empty() || list.kind == kind)) {
      return &list;
    }
  }
  return nullptr;
}

std::string_view default_in_key(std::string_view member) {
  return member == "protocol" ? "TCP" : "";
}

}  // namespace kinf
