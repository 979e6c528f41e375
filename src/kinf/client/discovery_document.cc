// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/discovery_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kinf {
namespace {

using Json = nlohmann::json;

/// nlohmann parses without recursion, so deep nesting needs only memory, which is limited by the
/// size of the body.
Result<Json> parse(std::string_view json, std::string_view kind) {
  Json document = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object() || !document.contains("kind") || document["kind"] != kind) {
    return fail(ErrorKind::protocol, "API discovery: the response is not an " + std::string(kind));
  }
  return document;
}

std::string text(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<std::string> texts(const Json& object, const char* name) {
  std::vector<std::string> all;
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array()) return all;
  for (const Json& item : *found) {
    if (item.is_string()) all.push_back(item.get<std::string>());
  }
  return all;
}

/// Returns the objects in the array `name`. Skips other elements.
std::vector<const Json*> objects(const Json& object, const char* name) {
  std::vector<const Json*> all;
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array()) return all;
  for (const Json& item : *found) {
    if (item.is_object()) all.push_back(&item);
  }
  return all;
}

ApiResource make_resource(const Json& json, GroupVersionResource gvr) {
  ApiResource resource;
  resource.type.gvr = std::move(gvr);
  resource.short_names = texts(json, "shortNames");
  resource.verbs = texts(json, "verbs");
  resource.categories = texts(json, "categories");
  return resource;
}

}  // namespace

Result<std::vector<ApiResource>> parse_resource_list(std::string_view json,
                                                     const std::string& group,
                                                     const std::string& version) {
  const Result<Json> document = parse(json, "APIResourceList");
  if (!document) return std::unexpected(document.error());
  std::vector<ApiResource> resources;
  for (const Json* item : objects(*document, "resources")) {
    const std::string name = text(*item, "name");
    if (name.empty() || name.find('/') != std::string::npos) continue;
    ApiResource resource = make_resource(*item, {group, version, name});
    resource.type.kind = text(*item, "kind");
    resource.type.singular = text(*item, "singularName");
    const auto namespaced = item->find("namespaced");
    resource.type.namespaced = namespaced != item->end() && *namespaced == true;
    resources.push_back(std::move(resource));
  }
  return resources;
}

Result<std::vector<ApiResource>> parse_aggregated(std::string_view json) {
  const Result<Json> document = parse(json, "APIGroupDiscoveryList");
  if (!document) return std::unexpected(document.error());
  std::vector<ApiResource> resources;
  for (const Json* group : objects(*document, "items")) {
    const auto metadata = group->find("metadata");
    const std::string group_name =
        metadata != group->end() && metadata->is_object() ? text(*metadata, "name") : "";
    for (const Json* version : objects(*group, "versions")) {
      for (const Json* item : objects(*version, "resources")) {
        const std::string name = text(*item, "resource");
        if (name.empty()) continue;
        ApiResource resource = make_resource(*item, {group_name, text(*version, "version"), name});
        const auto kind = item->find("responseKind");
        if (kind != item->end() && kind->is_object()) resource.type.kind = text(*kind, "kind");
        resource.type.singular = text(*item, "singularResource");
        resource.type.namespaced = text(*item, "scope") == "Namespaced";
        resources.push_back(std::move(resource));
      }
    }
  }
  return resources;
}

Result<std::vector<GroupVersion>> parse_group_list(std::string_view json) {
  const Result<Json> document = parse(json, "APIGroupList");
  if (!document) return std::unexpected(document.error());
  std::vector<GroupVersion> all;
  for (const Json* group : objects(*document, "groups")) {
    const std::string name = text(*group, "name");
    const auto preferred = group->find("preferredVersion");
    const std::string first =
        preferred != group->end() && preferred->is_object() ? text(*preferred, "version") : "";
    if (!first.empty()) all.push_back({name, first});
    for (const Json* version : objects(*group, "versions")) {
      const std::string other = text(*version, "version");
      if (!other.empty() && other != first) all.push_back({name, other});
    }
  }
  return all;
}

std::string kind_of_document(std::string_view json) {
  const Json document = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  return document.is_object() ? text(document, "kind") : std::string();
}

}  // namespace kinf
