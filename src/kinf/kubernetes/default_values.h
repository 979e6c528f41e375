// SPDX-License-Identifier: Apache-2.0
// The values that an API server sets in objects of built-in types if they are missing, for --neat.
// They are those of pkg/apis/*/v1/defaults.go in Kubernetes and of its admission plugins. What
// another object or the cluster decides is no default: clusterIP, nodeName, priority.
#pragma once

#include <span>
#include <string_view>

namespace kinf {

/// A value that the server sets if it is missing. `path` names members; `[]` means every item.
struct DefaultValue {
  std::string_view path;
  std::string_view json;
};

inline constexpr DefaultValue kPodDefaults[] = {
    {"restartPolicy", R"("Always")"},
    {"dnsPolicy", R"("ClusterFirst")"},
    {"schedulerName", R"("default-scheduler")"},
    {"terminationGracePeriodSeconds", "30"},
    {"securityContext", "{}"},
    {"enableServiceLinks", "true"},
    {"serviceAccountName", R"("default")"},
    {"volumes[].configMap.defaultMode", "420"},
    {"volumes[].secret.defaultMode", "420"},
    {"volumes[].projected.defaultMode", "420"},
    {"volumes[].downwardAPI.defaultMode", "420"},
    {"volumes[].hostPath.type", R"("")"},
};

inline constexpr DefaultValue kContainerDefaults[] = {
    {"terminationMessagePath", R"("/dev/termination-log")"},
    {"terminationMessagePolicy", R"("File")"},
    {"resources", "{}"},
    {"ports[].protocol", R"("TCP")"},
    {"env[].valueFrom.fieldRef.apiVersion", R"("v1")"},
};

inline constexpr DefaultValue kProbeDefaults[] = {
    {"timeoutSeconds", "1"},   {"periodSeconds", "10"},         {"successThreshold", "1"},
    {"failureThreshold", "3"}, {"httpGet.scheme", R"("HTTP")"},
};

/// The defaults in the `spec` of one type.
struct TypeDefaults {
  std::string_view resource;
  std::span<const DefaultValue> values;
};
inline constexpr DefaultValue kDeploymentDefaults[] = {
    {"progressDeadlineSeconds", "600"},
    {"revisionHistoryLimit", "10"},
    {"strategy.type", R"("RollingUpdate")"},
    {"strategy.rollingUpdate.maxSurge", R"("25%")"},
    {"strategy.rollingUpdate.maxUnavailable", R"("25%")"},
};
inline constexpr DefaultValue kStatefulSetDefaults[] = {
    {"podManagementPolicy", R"("OrderedReady")"},
    {"revisionHistoryLimit", "10"},
    {"updateStrategy.type", R"("RollingUpdate")"},
    {"updateStrategy.rollingUpdate.partition", "0"},
    {"persistentVolumeClaimRetentionPolicy.whenDeleted", R"("Retain")"},
    {"persistentVolumeClaimRetentionPolicy.whenScaled", R"("Retain")"},
};
inline constexpr DefaultValue kDaemonSetDefaults[] = {
    {"revisionHistoryLimit", "10"},
    {"updateStrategy.type", R"("RollingUpdate")"},
    {"updateStrategy.rollingUpdate.maxSurge", "0"},
    {"updateStrategy.rollingUpdate.maxUnavailable", "1"},
};
inline constexpr DefaultValue kCronJobDefaults[] = {
    {"concurrencyPolicy", R"("Allow")"},
    {"suspend", "false"},
    {"successfulJobsHistoryLimit", "3"},
    {"failedJobsHistoryLimit", "1"},
};
inline constexpr DefaultValue kServiceDefaults[] = {
    {"type", R"("ClusterIP")"},
    {"sessionAffinity", R"("None")"},
    {"internalTrafficPolicy", R"("Cluster")"},
    {"ports[].protocol", R"("TCP")"},
};
inline constexpr TypeDefaults kTypeDefaults[] = {
    {"deployments", kDeploymentDefaults}, {"statefulsets", kStatefulSetDefaults},
    {"daemonsets", kDaemonSetDefaults},   {"cronjobs", kCronJobDefaults},
    {"services", kServiceDefaults},
};

}  // namespace kinf
