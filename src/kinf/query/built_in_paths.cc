// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/built_in_paths.h"

#include <algorithm>
#include <array>

#include "kinf/query/index_spec.h"

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

namespace {

ObjectPath members(std::initializer_list<const char*> names) {
  ObjectPath path;
  for (const char* name : names) path.push_back({PathStep::Kind::member, name, 0});
  return path;
}

Result<ObjectPath> parse_path(std::string_view flag, const std::string& text) {
  const Result<IndexSpec> spec = IndexSpec::parse(text);
  const bool is_path = spec && !spec->value() && spec->path() != nullptr &&
                       (spec->source() == IndexSpec::Source::path ||
                        spec->source() == IndexSpec::Source::annotation);
  const auto is_position = [](const PathStep& step) {
    return step.kind == PathStep::Kind::element;
  };
  if (!is_path || std::ranges::any_of(*spec->path(), is_position)) {
    return fail(ErrorKind::usage, "{} {}: not a path such as .spec.containers[*].env", flag, text);
  }
  return *spec->path();
}

/// Returns whether dropping the field at `path` would drop a field that identifies the object.
bool is_needed(const ObjectPath& path) {
  const ObjectPath needed[] = {
      members({"apiVersion"}),       members({"kind"}),
      members({"metadata", "name"}), members({"metadata", "namespace"}),
      members({"metadata", "uid"}),  members({"metadata", "resourceVersion"})};
  return std::ranges::any_of(needed, [&](const ObjectPath& field) {
    return path.size() <= field.size() && std::equal(path.begin(), path.end(), field.begin());
  });
}

}  // namespace

Result<std::shared_ptr<const ObjectTrim>> parse_trim(std::span<const std::string> drop,
                                                     std::span<const std::string> keep,
                                                     bool keep_managed_fields) {
  if (drop.empty() && keep.empty()) return nullptr;
  const ObjectPath managed_fields = members({"metadata", "managedFields"});
  std::vector<ObjectPath> dropped;
  std::vector<ObjectPath> kept;
  for (const std::string& text : drop) {
    Result<ObjectPath> path = parse_path("--drop", text);
    if (!path) return fail(path);
    if (is_needed(*path)) return fail(ErrorKind::usage, "--drop {}: kinf needs this field", text);
    dropped.push_back(*std::move(path));
  }
  for (const std::string& text : keep) {
    Result<ObjectPath> path = parse_path("--keep", text);
    if (!path) return fail(path);
    kept.push_back(*std::move(path));
  }
  if (!keep_managed_fields) {
    dropped.push_back(managed_fields);
  } else if (!kept.empty()) {
    kept.push_back(managed_fields);
  }
  return std::make_shared<const ObjectTrim>(dropped, kept);
}

}  // namespace kinf
