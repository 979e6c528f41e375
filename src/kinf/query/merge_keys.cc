// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/merge_keys.h"

#include <algorithm>
#include <array>

namespace kinf {
namespace {

constexpr std::array<MergeKey, 1> kByName = {{{"name", ""}}};
constexpr std::array<MergeKey, 1> kByType = {{{"type", ""}}};
constexpr std::array<MergeKey, 1> kByIp = {{{"ip", ""}}};
constexpr std::array<MergeKey, 1> kByUid = {{{"uid", ""}}};
constexpr std::array<MergeKey, 1> kByMountPath = {{{"mountPath", ""}}};
constexpr std::array<MergeKey, 1> kByDevicePath = {{{"devicePath", ""}}};
constexpr std::array<MergeKey, 1> kByConditionType = {{{"conditionType", ""}}};
constexpr std::array<MergeKey, 1> kByKeyAndEffect = {{{"key", "effect", ':'}}};
constexpr std::array<MergeKey, 1> kByTopology = {{{"topologyKey", "whenUnsatisfiable"}}};
constexpr std::array<MergeKey, 2> kByPorts = {
    {{"containerPort", "protocol", '/', true}, {"port", "protocol", '/', true}}};

struct Row {
  std::string_view field;
  std::span<const MergeKey> keys;
};

/// Sorted by field.
constexpr std::array<Row, 28> kRows = {{
    {"addresses", kByType},
    {"conditions", kByType},
    {"containerStatuses", kByName},
    {"containers", kByName},
    {"env", kByName},
    {"ephemeralContainerStatuses", kByName},
    {"ephemeralContainers", kByName},
    {"hostAliases", kByIp},
    {"hostIPs", kByIp},
    {"imagePullSecrets", kByName},
    {"initContainerStatuses", kByName},
    {"initContainers", kByName},
    {"ownerReferences", kByUid},
    {"podIPs", kByIp},
    {"ports", kByPorts},
    {"readinessGates", kByConditionType},
    {"resourceClaimStatuses", kByName},
    {"resourceClaims", kByName},
    {"schedulingGates", kByName},
    {"secrets", kByName},
    {"taints", kByKeyAndEffect},
    {"tolerations", kByKeyAndEffect},
    {"topologySpreadConstraints", kByTopology},
    {"volumeDevices", kByDevicePath},
    {"volumeMounts", kByMountPath},
    {"volumes", kByName},
    {"volumesAttached", kByName},
    {"webhooks", kByName},
}};
static_assert(std::ranges::is_sorted(kRows, {}, &Row::field));

}  // namespace

std::span<const MergeKey> merge_keys(std::string_view field) {
  const auto* const row = std::ranges::lower_bound(kRows, field, {}, &Row::field);
  if (row == kRows.end() || row->field != field) return {};
  return row->keys;
}

bool is_set(std::string_view field) {
  return field == "finalizers" || field == "podCIDRs" || field == "volumesInUse";
}

}  // namespace kinf
