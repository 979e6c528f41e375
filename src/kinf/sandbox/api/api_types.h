// SPDX-License-Identifier: Apache-2.0
// ApiTypes: the resource types that the sandbox serves: built-in ones, and those of
// CustomResourceDefinitions.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// An additionalPrinterColumn of a custom type.
struct PrinterColumn {
  std::string name;
  std::string type;
  std::string format;
  std::string description;
  int priority = 0;
  std::string json_path;
};

/// The paths of the values that a scale shows, such as `.spec.replicas`.
struct ScalePaths {
  std::string wanted = ".spec.replicas";
  std::string present = ".status.replicas";
  std::string selector;  ///< custom only: the path of the selector as text
};

struct ApiType : ResourceType {
  std::string list_kind;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  bool has_status = false;
  bool has_scale = false;
  ScalePaths scale;
  bool custom = false;
  std::vector<PrinterColumn> printer_columns;  ///< custom only
  Json schema = Json::object();                ///< custom only: OpenAPI v3, for kubectl explain
  std::vector<std::string>
      selectable_fields;  ///< such as `spec.nodeName`; name and namespace always are

  /// The key of the type in the store. The versions of a custom type share it.
  std::string storage_key() const { return gvr.group_resource(); }
};
using ApiTypePtr = std::shared_ptr<const ApiType>;

/// Threads: every call from any thread.
class ApiTypes {
 public:
  ApiTypes();

  /// Returns null for a type that is not served.
  ApiTypePtr find(std::string_view group, std::string_view version,
                  std::string_view resource) const;
  /// Finds a type by the apiVersion and kind of its objects.
  ApiTypePtr find_kind(std::string_view api_version, std::string_view kind) const;
  bool has_group_version(std::string_view group, std::string_view version) const;

  /// All types, sorted by group, version and resource.
  std::vector<ApiTypePtr> all() const;

  /// Serves the types of a CustomResourceDefinition. Replaces those of its previous state.
  void add_custom(const Json& definition);
  /// Stops serving the types of a definition.
  void remove_custom(const Json& definition);

 private:
  mutable Mutex mu_;
  std::map<GroupVersionResource, ApiTypePtr> types_ KINF_GUARDED_BY(mu_);
};

/// The built-in types.
std::vector<ApiType> built_in_types();

/// The types that a CustomResourceDefinition defines: one per served version.
std::vector<ApiType> custom_types(const Json& definition);

}  // namespace kinf::sandbox
