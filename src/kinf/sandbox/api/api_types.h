// SPDX-License-Identifier: Apache-2.0
// ApiTypes: the resource types that the sandbox serves: the built-in types and those that
// CustomResourceDefinitions define.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/object.h"
#include "kinf/base/sync.h"
#include "kinf/kubernetes/built_in_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// An additionalPrinterColumn of a custom type.
struct PrinterColumn : TableColumn {
  std::string json_path;
};

/// The paths of the values that a Scale (the subresource `scale`) takes from its object.
struct ScalePaths {
  std::string wanted = ".spec.replicas";
  std::string present = ".status.replicas";
  std::string selector;  ///< custom types only: path of a string with the label selector
};

struct ApiType : ResourceType {
  std::string list_kind;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  bool has_status = false;
  bool has_scale = false;
  ScalePaths scale;
  bool custom = false;
  const BuiltInType* built_in = nullptr;       ///< null for custom types
  std::vector<PrinterColumn> printer_columns;  ///< custom types only
  Json schema = Json::object();  ///< custom types only: OpenAPI v3, for kubectl explain
  std::vector<std::string>
      selectable_fields;  ///< such as `spec.nodeName`; metadata.name and .namespace are implied

  /// True for the types of a recording: clients may only get, list and watch.
  bool read_only = false;
  /// The Table columns from a recording. Null means the columns that kinf defines.
  std::shared_ptr<const TableColumns> recorded_columns{};

  /// Returns whether this type is built in and has this property.
  bool has(TypeTrait trait) const { return built_in != nullptr && built_in->has(trait); }
  /// Returns the key of the type in the store. All versions of a custom type have the same key. The
  /// versions of a recorded type have different keys, because their objects are recorded
  /// separately.
  std::string storage_key() const {
    return read_only ? gvr.version + " " + gvr.group_resource() : gvr.group_resource();
  }
};
using ApiTypePtr = std::shared_ptr<const ApiType>;

/// Threads: all functions may be called from any thread.
class ApiTypes {
 public:
  ApiTypes();

  /// Returns null if the type is not served.
  ApiTypePtr find(std::string_view group, std::string_view version,
                  std::string_view resource) const;
  /// Finds a type by the apiVersion and kind of its objects. Returns null if there is none.
  ApiTypePtr find_kind(std::string_view api_version, std::string_view kind) const;
  /// Finds the type of an object. Returns null if there is none.
  ApiTypePtr find_for(const Json& object) const {
    return find_kind(text(field(object, "apiVersion")), text(field(object, "kind")));
  }
  /// Finds a type by its storage key. Returns null if there is none.
  ApiTypePtr find_stored(std::string_view storage_key) const;
  bool has_group_version(std::string_view group, std::string_view version) const;

  /// Returns all types, sorted by group, version and resource.
  std::vector<ApiTypePtr> all() const;

  /// Replaces all types.
  void serve_only(std::vector<ApiType> types);
  /// Returns whether all types are read-only.
  bool is_read_only() const;
  /// Adds the types of a CustomResourceDefinition. Replaces the types from its previous state.
  void add_custom(const Json& definition);
  /// Removes the types of a CustomResourceDefinition.
  void remove_custom(const Json& definition);

 private:
  mutable Mutex mu_;
  std::map<GroupVersionResource, ApiTypePtr> types_ KINF_GUARDED_BY(mu_);
};

/// Returns the form in which the sandbox serves a built-in type.
ApiType served_type(const BuiltInType& type);

/// Returns the types that a CustomResourceDefinition defines, one per served version.
std::vector<ApiType> custom_types(const Json& definition);

/// A parsed path of an object or of a collection, such as /api/v1/namespaces/NS/pods/NAME/status.
struct ResourcePath {
  ApiTypePtr type;
  std::string ns;  ///< empty: the object is cluster-scoped, or the path means all namespaces
  std::string name;
  std::string subresource;
};

/// Splits a path at its slashes. Omits empty parts.
std::vector<std::string> split_path(std::string_view path);

/// The result of resolve_path() for a path below /api or /apis.
struct ResolvedPath {
  bool has_group = false;                ///< whether the group version in the path is served
  std::optional<ResourcePath> resource;  ///< empty: the path names no served resource
};
ResolvedPath resolve_path(const ApiTypes& types, std::string_view path);

}  // namespace kinf::sandbox
