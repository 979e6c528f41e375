// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/built_in_paths.h"

#include <array>
#include <span>
#include <string>

namespace kinf {
namespace {

/// The paths of one built-in index. `POD` is a placeholder for each path at which an object can
/// have a pod spec, `CONTAINERS` for each list of containers.
struct BuiltInPaths {
  std::string_view name;
  std::span<const std::string_view> paths;
};

constexpr std::array<std::string_view, 1> kNode = {"POD.nodeName"};
constexpr std::array<std::string_view, 1> kImage = {"POD.CONTAINERS[*].image"};
constexpr std::array<std::string_view, 1> kPhase = {"status.phase"};
constexpr std::array<std::string_view, 5> kIp = {"status.podIP", "status.podIPs[*].ip",
                                                 "spec.clusterIP", "spec.clusterIPs[*]",
                                                 "status.loadBalancer.ingress[*].ip"};
constexpr std::array<std::string_view, 1> kServiceAccount = {"POD.serviceAccountName"};
constexpr std::array<std::string_view, 6> kSecret = {
    "POD.volumes[*].secret.secretName",
    "POD.volumes[*].projected.sources[*].secret.name",
    "POD.CONTAINERS[*].env[*].valueFrom.secretKeyRef.name",
    "POD.CONTAINERS[*].envFrom[*].secretRef.name",
    "POD.imagePullSecrets[*].name",
    "spec.tls[*].secretName"};
constexpr std::array<std::string_view, 4> kConfigMap = {
    "POD.volumes[*].configMap.name", "POD.volumes[*].projected.sources[*].configMap.name",
    "POD.CONTAINERS[*].env[*].valueFrom.configMapKeyRef.name",
    "POD.CONTAINERS[*].envFrom[*].configMapRef.name"};
constexpr std::array<std::string_view, 1> kClaim = {
    "POD.volumes[*].persistentVolumeClaim.claimName"};

constexpr std::array<BuiltInPaths, 8> kBuiltIns = {{{"@node", kNode},
                                                    {"@image", kImage},
                                                    {"@phase", kPhase},
                                                    {"@ip", kIp},
                                                    {"@sa", kServiceAccount},
                                                    {"@secret", kSecret},
                                                    {"@configmap", kConfigMap},
                                                    {"@pvc", kClaim}}};

/// Returns one copy of `text` per choice, with `word` replaced by the choice. Returns only `text`
/// if it does not contain `word`.
std::vector<std::string> with_choices(const std::string& text, std::string_view word,
                                      std::span<const std::string_view> choices) {
  const std::size_t at = text.find(word);
  if (at == std::string::npos) return {text};
  std::vector<std::string> all;
  for (const std::string_view choice : choices) {
    all.push_back(std::string(text).replace(at, word.size(), choice));
  }
  return all;
}

}  // namespace

ObjectPath simple_path(std::string_view text) {
  ObjectPath path;
  while (!text.empty()) {
    std::string_view name = text.substr(0, text.find('.'));
    text.remove_prefix(std::min(name.size() + 1, text.size()));
    const bool each = name.ends_with("[*]");
    if (each) name.remove_suffix(3);
    path.push_back({PathStep::Kind::member, std::string(name), 0});
    if (each) path.push_back({PathStep::Kind::each_element, "", 0});
  }
  return path;
}

std::vector<ObjectPath> built_in_paths(std::string_view name) {
  constexpr std::array<std::string_view, 3> kPodSpecs = {"spec", "spec.template.spec",
                                                         "spec.jobTemplate.spec.template.spec"};
  constexpr std::array<std::string_view, 3> kContainers = {"containers", "initContainers",
                                                           "ephemeralContainers"};
  std::vector<ObjectPath> paths;
  for (const BuiltInPaths& built_in : kBuiltIns) {
    if (built_in.name != name) continue;
    for (const std::string_view text : built_in.paths) {
      for (const std::string& in_spec : with_choices(std::string(text), "POD", kPodSpecs)) {
        for (const std::string& whole : with_choices(in_spec, "CONTAINERS", kContainers)) {
          paths.push_back(simple_path(whole));
        }
      }
    }
  }
  return paths;
}

std::vector<std::string_view> names_with_paths() {
  std::vector<std::string_view> names;
  for (const BuiltInPaths& built_in : kBuiltIns) names.push_back(built_in.name);
  return names;
}

}  // namespace kinf
