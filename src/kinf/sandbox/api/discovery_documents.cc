// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/discovery_documents.h"

#include <map>
#include <set>

namespace kinf::sandbox {
namespace {

Json verbs(const ApiType& type) {
  if (type.read_only) return {"get", "list", "watch"};
  if (type.has(TypeTrait::holds_objects)) {
    return {"create", "delete", "get", "list", "patch", "update", "watch"};
  }
  return {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"};
}

struct Subresource {
  std::string name;
  std::string group;
  std::string version;
  std::string kind;
  Json verbs;
};

std::vector<Subresource> subresources(const ApiType& type) {
  std::vector<Subresource> result;
  if (type.read_only) return result;
  const Json change = {"get", "patch", "update"};
  if (type.has(TypeTrait::runs_on_node)) {
    result.push_back({"binding", "", "v1", "Binding", {"create"}});
  }
  if (type.has_scale) result.push_back({"scale", "autoscaling", "v1", "Scale", change});
  if (type.has_status) result.push_back({"status", "", "", type.kind, change});
  return result;
}

Json group_version(const std::string& group, const std::string& version) {
  return {{"groupVersion", group + "/" + version}, {"version", version}};
}

Json group_entry(const std::string& name, const std::set<std::string>& versions) {
  Json result = {{"name", name}, {"versions", Json::array()}};
  for (const std::string& version : versions) {
    result["versions"].push_back(group_version(name, version));
  }
  result["preferredVersion"] = result["versions"].front();
  return result;
}

/// Returns all groups except the core group, with their versions.
std::map<std::string, std::set<std::string>> groups(const ApiTypes& types) {
  std::map<std::string, std::set<std::string>> result;
  for (const ApiTypePtr& type : types.all()) {
    if (!type->gvr.group.empty()) result[type->gvr.group].insert(type->gvr.version);
  }
  return result;
}

Json response_kind(const std::string& group, const std::string& version, const std::string& kind) {
  return {{"group", group}, {"version", version}, {"kind", kind}};
}

void add_other_names(const ApiType& type, Json& resource) {
  if (!type.short_names.empty()) resource["shortNames"] = type.short_names;
  if (!type.categories.empty()) resource["categories"] = type.categories;
}

Json aggregated_resource(const ApiType& type) {
  Json result = {{"resource", type.gvr.resource},
                 {"responseKind", response_kind("", "", type.kind)},
                 {"scope", type.namespaced ? "Namespaced" : "Cluster"},
                 {"singularResource", type.singular},
                 {"verbs", verbs(type)}};
  add_other_names(type, result);
  for (const Subresource& each : subresources(type)) {
    result["subresources"].push_back(
        {{"subresource", each.name},
         {"responseKind", response_kind(each.group, each.version, each.kind)},
         {"verbs", each.verbs}});
  }
  return result;
}

Json aggregated_version(const ApiTypes& types, const std::string& group,
                        const std::string& version) {
  Json result = {{"version", version}, {"resources", Json::array()}};
  for (const ApiTypePtr& type : types.all()) {
    if (type->gvr.group == group && type->gvr.version == version) {
      result["resources"].push_back(aggregated_resource(*type));
    }
  }
  result["freshness"] = "Current";
  return result;
}

}  // namespace

Json version_document() {
  return {{"major", "1"},        {"minor", "36"},           {"gitVersion", "v1.36.3+kinf-sandbox"},
          {"gitCommit", ""},     {"gitTreeState", "clean"}, {"buildDate", "1970-01-01T00:00:00Z"},
          {"goVersion", "none"}, {"compiler", "none"},      {"platform", "kinf/sandbox"}};
}

Json api_versions_document() {
  return {
      {"kind", "APIVersions"}, {"versions", {"v1"}}, {"serverAddressByClientCIDRs", Json::array()}};
}

Json group_list_document(const ApiTypes& types) {
  Json result = {{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", Json::array()}};
  for (const auto& [name, versions] : groups(types)) {
    result["groups"].push_back(group_entry(name, versions));
  }
  return result;
}

std::optional<Json> group_document(const ApiTypes& types, std::string_view group) {
  const auto all = groups(types);
  const auto found = all.find(std::string(group));
  if (found == all.end()) return std::nullopt;
  Json result = {{"kind", "APIGroup"}, {"apiVersion", "v1"}};
  result.update(group_entry(found->first, found->second));
  return result;
}

Json resource_list_document(const ApiTypes& types, std::string_view group,
                            std::string_view version) {
  const std::string name =
      group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
  Json result = {{"kind", "APIResourceList"},
                 {"apiVersion", "v1"},
                 {"groupVersion", name},
                 {"resources", Json::array()}};
  for (const ApiTypePtr& type : types.all()) {
    if (type->gvr.group != group || type->gvr.version != version) continue;
    Json entry = {{"name", type->gvr.resource},
                  {"singularName", type->singular},
                  {"namespaced", type->namespaced},
                  {"kind", type->kind},
                  {"verbs", verbs(*type)}};
    add_other_names(*type, entry);
    result["resources"].push_back(std::move(entry));
    for (const Subresource& each : subresources(*type)) {
      Json sub = {{"name", type->gvr.resource + "/" + each.name},
                  {"singularName", ""},
                  {"namespaced", type->namespaced}};
      if (!each.group.empty()) sub["group"] = each.group;
      if (!each.version.empty()) sub["version"] = each.version;
      sub["kind"] = each.kind;
      sub["verbs"] = each.verbs;
      result["resources"].push_back(std::move(sub));
    }
  }
  return result;
}

Json aggregated_document(const ApiTypes& types, bool core) {
  Json result = {{"kind", "APIGroupDiscoveryList"},
                 {"apiVersion", "apidiscovery.k8s.io/v2"},
                 {"metadata", Json::object()},
                 {"items", Json::array()}};
  if (core) {
    result["items"].push_back({{"metadata", Json::object()},
                               {"versions", Json::array({aggregated_version(types, "", "v1")})}});
    return result;
  }
  for (const auto& [name, versions] : groups(types)) {
    Json group = {{"metadata", {{"name", name}}}, {"versions", Json::array()}};
    for (const std::string& version : versions) {
      group["versions"].push_back(aggregated_version(types, name, version));
    }
    result["items"].push_back(std::move(group));
  }
  return result;
}

}  // namespace kinf::sandbox
