// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/api_types.h"

#include <algorithm>
#include <utility>

#include "kinf/base/ascii.h"

namespace kinf::sandbox {
namespace {

std::vector<std::string> strings(const Json& array) {
  std::vector<std::string> result;
  for (const Json& item : elements(array)) result.push_back(text(item));
  return result;
}

std::vector<PrinterColumn> printer_columns(const Json& array) {
  std::vector<PrinterColumn> result;
  for (const Json& column : elements(array)) {
    const Json& priority = field(column, "priority");
    result.push_back({{text(field(column, "name")), text(field(column, "type")),
                       text(field(column, "format")), text(field(column, "description")),
                       priority.is_number_integer() ? priority.get<int>() : 0},
                      text(field(column, "jsonPath"))});
  }
  return result;
}

/// Reads the paths of the scale subresource. Both replica paths are required, as in the real
/// server.
void read_scale(const Json& scale, ApiType& type) {
  const std::string wanted = text(field(scale, "specReplicasPath"));
  const std::string present = text(field(scale, "statusReplicasPath"));
  type.has_scale = wanted.starts_with('.') && present.starts_with('.');
  if (type.has_scale) type.scale = {wanted, present, text(field(scale, "labelSelectorPath"))};
}

}  // namespace

ApiType served_type(const BuiltInType& known) {
  ApiType type;
  type.gvr = {std::string(known.group), std::string(known.version), std::string(known.resource)};
  type.kind = known.kind;
  type.singular = known.singular();
  type.namespaced = !known.has(TypeTrait::cluster_scoped);
  type.list_kind = type.kind + "List";
  for (const std::string_view name : known.short_names) {
    if (!name.empty()) type.short_names.emplace_back(name);
  }
  if (!known.category.empty()) type.categories.emplace_back(known.category);
  type.has_status = known.has(TypeTrait::has_status);
  type.has_scale = known.has(TypeTrait::has_scale);
  type.built_in = &known;
  for (const SelectableField& each : known.selectable_fields) {
    type.selectable_fields.emplace_back(each.path);
  }
  return type;
}

std::vector<ApiType> custom_types(const Json& definition) {
  std::vector<ApiType> result;
  const Json& spec = field(definition, "spec");
  const Json& names = field(spec, "names");
  for (const Json& version : elements(field(spec, "versions"))) {
    if (field(version, "served") == Json(false)) continue;
    ApiType type;
    type.gvr = {text(field(spec, "group")), text(field(version, "name")),
                text(field(names, "plural"))};
    type.kind = text(field(names, "kind"));
    type.singular = text(field(names, "singular"));
    type.namespaced = text(field(spec, "scope")) != "Cluster";
    type.list_kind = text(field(names, "listKind"));
    if (type.list_kind.empty()) type.list_kind = type.kind + "List";
    type.short_names = strings(field(names, "shortNames"));
    type.categories = strings(field(names, "categories"));
    type.has_status = field(version, "subresources").contains("status");
    read_scale(field(version, "subresources", "scale"), type);
    type.custom = true;
    const Json& schema = field(version, "schema", "openAPIV3Schema");
    if (schema.is_object()) type.schema = schema;
    type.printer_columns = printer_columns(field(version, "additionalPrinterColumns"));
    for (const Json& each : elements(field(version, "selectableFields"))) {
      const std::string path = text(field(each, "jsonPath"));
      if (path.starts_with('.')) type.selectable_fields.push_back(path.substr(1));
    }
    result.push_back(std::move(type));
  }
  return result;
}

ApiTypes::ApiTypes() {
  std::vector<ApiType> types;
  for (const BuiltInType& each : built_in_types()) {
    if (!each.has(TypeTrait::sandbox_lacks)) types.push_back(served_type(each));
  }
  serve_only(std::move(types));
}

void ApiTypes::serve_only(std::vector<ApiType> types) {
  MutexLock lock(mu_);
  types_.clear();
  for (ApiType& type : types) {
    const GroupVersionResource gvr = type.gvr;
    types_[gvr] = std::make_shared<ApiType>(std::move(type));
  }
}

bool ApiTypes::is_read_only() const {
  MutexLock lock(mu_);
  return std::ranges::all_of(types_, [](const auto& entry) { return entry.second->read_only; });
}

ApiTypePtr ApiTypes::find(std::string_view group, std::string_view version,
                          std::string_view resource) const {
  MutexLock lock(mu_);
  const auto found = types_.find({std::string(group), std::string(version), std::string(resource)});
  return found == types_.end() ? nullptr : found->second;
}

ApiTypePtr ApiTypes::find_kind(std::string_view api_version, std::string_view kind) const {
  MutexLock lock(mu_);
  for (const auto& [gvr, type] : types_) {
    if (type->kind == kind && gvr.api_version() == api_version) return type;
  }
  return nullptr;
}

ApiTypePtr ApiTypes::find_stored(std::string_view storage_key) const {
  MutexLock lock(mu_);
  for (const auto& [gvr, type] : types_) {
    if (storage_key.find(gvr.resource) != storage_key.npos && type->storage_key() == storage_key) {
      return type;
    }
  }
  return nullptr;
}

bool ApiTypes::has_group_version(std::string_view group, std::string_view version) const {
  MutexLock lock(mu_);
  const auto found = types_.lower_bound({std::string(group), std::string(version), std::string()});
  return found != types_.end() && found->first.group == group && found->first.version == version;
}

std::vector<ApiTypePtr> ApiTypes::all() const {
  MutexLock lock(mu_);
  std::vector<ApiTypePtr> result;
  for (const auto& [gvr, type] : types_) result.push_back(type);
  return result;
}

void ApiTypes::add_custom(const Json& definition) {
  remove_custom(definition);
  MutexLock lock(mu_);
  for (ApiType& type : custom_types(definition)) {
    const GroupVersionResource gvr = type.gvr;
    types_.try_emplace(gvr, std::make_shared<ApiType>(std::move(type)));
  }
}

void ApiTypes::remove_custom(const Json& definition) {
  const std::string group = text(field(definition, "spec", "group"));
  const std::string plural = text(field(definition, "spec", "names", "plural"));
  MutexLock lock(mu_);
  std::erase_if(types_, [&](const auto& entry) {
    return entry.second->custom && entry.first.group == group && entry.first.resource == plural;
  });
}

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::string_view part = take_until(path, "/");
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

ResolvedPath resolve_path(const ApiTypes& types, std::string_view path) {
  ResolvedPath result;
  std::vector<std::string> parts = split_path(path);
  if (parts.empty() || (parts[0] != "api" && parts[0] != "apis")) return result;
  const std::size_t head = parts[0] == "api" ? 2 : 3;
  if (parts.size() <= head) return result;
  const std::string group = parts[0] == "api" ? "" : parts[1];
  const std::string version = parts[head - 1];
  result.has_group = types.has_group_version(group, version);
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(head));

  ResourcePath found;
  // `namespaces/NS` names a namespace. A longer path names objects in this namespace, or a
  // subresource of it.
  const bool is_inside = parts[0] == "namespaces" && parts.size() >= 3 &&
                         !(parts.size() == 3 && (parts[2] == "status" || parts[2] == "finalize"));
  if (is_inside) {
    found.ns = parts[1];
    parts.erase(parts.begin(), parts.begin() + 2);
  }
  if (parts.size() > 3) return result;
  found.type = types.find(group, version, parts[0]);
  if (found.type == nullptr || (is_inside && !found.type->namespaced)) return result;
  if (parts.size() > 1) found.name = parts[1];
  if (parts.size() > 2) found.subresource = parts[2];
  if (!found.name.empty() && found.ns.empty() && found.type->namespaced) return result;
  result.resource = std::move(found);
  return result;
}

}  // namespace kinf::sandbox
