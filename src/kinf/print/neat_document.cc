// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_document.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "kinf/base/json_string.h"
#include "kinf/kubernetes/built_in_types.h"
#include "kinf/kubernetes/default_values.h"
#include "kinf/print/json_tree.h"

namespace kinf {
namespace {

using Node = JsonTree::Node;
using Nodes = std::vector<const Node*>;

/// The parts of `metadata` that the server writes.
constexpr std::string_view kMetadata[] = {
    "uid", "resourceVersion", "generation", "creationTimestamp", "selfLink", "managedFields",
};
/// The objects and arrays that are left out if all their members are.
constexpr std::string_view kOptional[] = {
    "annotations", "strategy",     "updateStrategy", "rollingUpdate",
    "volumes",     "volumeMounts", "tolerations",    "persistentVolumeClaimRetentionPolicy",
};
constexpr std::string_view kAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::string_view kTokenVolume = "kube-api-access-";

/// Returns the default of imagePullPolicy for an image: Always for the tag `latest`, which is also
/// that of an image without tag and digest.
std::string_view pull_policy(std::string_view image) {
  const std::size_t digest = image.find('@');
  const bool has_digest = digest != std::string_view::npos;
  image = image.substr(0, digest);
  image.remove_prefix(image.rfind('/') + 1);
  const std::size_t colon = image.find(':');
  if (colon == std::string_view::npos) return has_digest ? "IfNotPresent" : "Always";
  return image.substr(colon + 1) == "latest" ? "Always" : "IfNotPresent";
}

/// Chooses the members to remove, and writes the others.
class NeatWriter {
 public:
  explicit NeatWriter(const JsonTree& tree) : tree_(tree) {}

  std::string write() {
    const Node& root = tree_.root();
    drop(member(root, "status"));
    drop_metadata(member(root, "metadata"));
    drop_defaults(root);
    std::string out;
    append(out, root);
    return out;
  }

 private:
  const Node* member(const Node& node, std::string_view name) const {
    if (node.kind != JsonTree::Kind::object) return nullptr;
    for (const Node* child : tree_.children(node)) {
      if (json_unquoted(child->key) == name) return child;
    }
    return nullptr;
  }
  Nodes items(const Node* node) const {
    if (node == nullptr || node->kind != JsonTree::Kind::array) return {};
    return tree_.children(*node);
  }
  std::string text_of(const Node& node, std::string_view name) const {
    const Node* const found = member(node, name);
    const bool is_text = found != nullptr && found->kind == JsonTree::Kind::string;
    return is_text ? json_unquoted(found->text) : std::string();
  }
  /// Returns the values at a path below `node`.
  Nodes at(const Node& node, std::string_view path) const {
    Nodes found = {&node};
    while (!path.empty()) {
      const std::size_t end = std::min(path.find('.'), path.size());
      std::string_view name = path.substr(0, end);
      path.remove_prefix(std::min(end + 1, path.size()));
      const bool all = name.ends_with("[]");
      if (all) name.remove_suffix(2);
      Nodes next;
      for (const Node* one : found) {
        const Node* const child = member(*one, name);
        if (child == nullptr) continue;
        if (!all) next.push_back(child);
        for (const Node* item : all ? items(child) : Nodes()) next.push_back(item);
      }
      found = std::move(next);
    }
    return found;
  }

  void drop(const Node* node) {
    if (node != nullptr) dropped_.insert(node);
  }
  void drop_values(const Node& node, std::span<const DefaultValue> values) {
    for (const DefaultValue& value : values) {
      for (const Node* found : at(node, value.path)) {
        const bool is_empty = found->kind == JsonTree::Kind::object && tree_.is_empty(*found);
        if (found->text == value.json || (is_empty && value.json == "{}")) drop(found);
      }
    }
  }

  void drop_metadata(const Node* metadata) {
    if (metadata == nullptr) return;
    for (const std::string_view name : kMetadata) drop(member(*metadata, name));
    const Node* const annotations = member(*metadata, "annotations");
    if (annotations != nullptr) drop(member(*annotations, kAppliedAnnotation));
  }

  void drop_defaults(const Node& root) {
    const BuiltInType* const type =
        find_built_in_kind(text_of(root, "apiVersion"), text_of(root, "kind"));
    const Node* const spec = member(root, "spec");
    if (type == nullptr || spec == nullptr) return;
    for (const TypeDefaults& defaults : kTypeDefaults) {
      if (defaults.resource == type->resource) drop_values(*spec, defaults.values);
    }
    if (type->resource == "services") drop_target_ports(*spec);
    if (type->has(TypeTrait::runs_on_node)) return drop_pod_defaults(*spec);
    for (const std::string_view path : {"template", "jobTemplate.spec.template"}) {
      for (const Node* pod : at(*spec, path)) {
        drop_metadata(member(*pod, "metadata"));
        for (const Node* pod_spec : at(*pod, "spec")) drop_pod_defaults(*pod_spec);
      }
    }
    for (const Node* job : at(*spec, "jobTemplate.metadata")) drop_metadata(job);
  }

  /// The default of targetPort is the port.
  void drop_target_ports(const Node& spec) {
    for (const Node* port : at(spec, "ports[]")) {
      const Node* const number = member(*port, "port");
      const Node* const target = member(*port, "targetPort");
      if (number != nullptr && target != nullptr && number->text == target->text) drop(target);
    }
  }

  void drop_pod_defaults(const Node& spec) {
    drop_values(spec, kPodDefaults);
    const std::string account = text_of(spec, "serviceAccountName");
    // serviceAccount is the old name of serviceAccountName.
    if (text_of(spec, "serviceAccount") == account) drop(member(spec, "serviceAccount"));
    for (const Node* volume : at(spec, "volumes[]")) {
      if (text_of(*volume, "name").starts_with(kTokenVolume)) drop(volume);
    }
    for (const Node* toleration : at(spec, "tolerations[]")) drop_toleration(*toleration);
    for (const std::string_view list : {"containers[]", "initContainers[]"}) {
      for (const Node* container : at(spec, list)) drop_container_defaults(*container);
    }
  }

  /// Every pod tolerates nodes that are not ready or unreachable for 300 s.
  void drop_toleration(const Node& toleration) {
    const std::string key = text_of(toleration, "key");
    const Node* const seconds = member(toleration, "tolerationSeconds");
    const bool is_default =
        (key == "node.kubernetes.io/not-ready" || key == "node.kubernetes.io/unreachable") &&
        text_of(toleration, "operator") == "Exists" &&
        text_of(toleration, "effect") == "NoExecute" && seconds != nullptr &&
        seconds->text == "300";
    if (is_default) drop(&toleration);
  }

  void drop_container_defaults(const Node& container) {
    drop_values(container, kContainerDefaults);
    for (const std::string_view probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
      for (const Node* found : at(container, probe)) drop_values(*found, kProbeDefaults);
    }
    for (const Node* mount : at(container, "volumeMounts[]")) {
      if (text_of(*mount, "name").starts_with(kTokenVolume)) drop(mount);
    }
    const std::string image = text_of(container, "image");
    const bool is_default = text_of(container, "imagePullPolicy") == pull_policy(image);
    if (!image.empty() && is_default) drop(member(container, "imagePullPolicy"));
  }

  /// Returns whether to leave out a value: it was dropped, or it may be missing and all that it
  /// holds was dropped.
  bool is_dropped(const Node& node) const {
    if (dropped_.contains(&node)) return true;
    const bool may_be_missing =
        !node.key.empty() &&
        std::ranges::find(kOptional, json_unquoted(node.key)) != std::end(kOptional);
    if (!may_be_missing) return false;
    const Nodes children = tree_.children(node);
    return !children.empty() &&
           std::ranges::all_of(children, [&](const Node* child) { return is_dropped(*child); });
  }

  void append(std::string& out, const Node& node) const {
    const bool is_object = node.kind == JsonTree::Kind::object;
    if (!is_object && node.kind != JsonTree::Kind::array) {
      out += node.text;
      return;
    }
    out += is_object ? '{' : '[';
    bool first = true;
    for (const Node* child : tree_.children(node)) {
      if (is_dropped(*child)) continue;
      if (!first) out += ',';
      first = false;
      if (is_object) out.append(child->key).append(":");
      append(out, *child);
    }
    out += is_object ? '}' : ']';
  }

  const JsonTree& tree_;
  std::unordered_set<const Node*> dropped_;
};

}  // namespace

std::string neat_document(std::string_view json) {
  const Result<JsonTree> tree = JsonTree::parse(json);
  const bool is_object = tree && tree->root().kind == JsonTree::Kind::object;
  return is_object ? NeatWriter(*tree).write() : std::string(json);
}

}  // namespace kinf
