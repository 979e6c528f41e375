// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/past/recorded_types.h"

#include <utility>

namespace kinf::sandbox {
namespace {

/// Returns the built-in type, or a custom type that has only its name.
ApiType known_type(const GroupVersionResource& gvr) {
  const BuiltInType* known = find_built_in_type(gvr.group, gvr.resource);
  if (known != nullptr && known->version == gvr.version && !known->has(TypeTrait::sandbox_lacks)) {
    return served_type(*known);
  }
  ApiType type;
  type.gvr = gvr;
  type.custom = true;
  return type;
}

}  // namespace

ApiType read_only_type(const RecordedType& recorded, std::shared_ptr<const TableColumns> columns) {
  ApiType type = known_type(recorded.type.gvr);
  static_cast<ResourceType&>(type) = recorded.type;
  type.list_kind = type.kind + "List";
  type.short_names = recorded.short_names;
  type.categories = recorded.categories;
  type.has_status = false;
  type.has_scale = false;
  type.read_only = true;
  type.recorded_columns = std::move(columns);
  return type;
}

ApiType read_only_namespaces() {
  ApiType type = known_type({"", "v1", "namespaces"});
  type.has_status = false;
  type.read_only = true;
  return type;
}

Json bare_namespace(const std::string& name, std::uint64_t version) {
  return {{"kind", "Namespace"},
          {"apiVersion", "v1"},
          {"metadata",
           {{"name", name},
            {"resourceVersion", std::to_string(version)},
            {"labels", {{"kubernetes.io/metadata.name", name}}}}},
          {"status", {{"phase", "Active"}}}};
}

}  // namespace kinf::sandbox
