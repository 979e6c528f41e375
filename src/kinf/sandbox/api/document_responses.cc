// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/document_responses.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/api/http_responses.h"

namespace kinf::sandbox {
namespace {

/// Returns a document with an ETag, or 304 if the client already has it.
HttpResponse tagged_response(const HttpRequest& request, const Json& document,
                             std::string content_type) {
  HttpResponse response = json_response(200, document);
  const std::string tag = fmt::format("\"{:016X}\"", std::hash<std::string>()(response.body));
  response.headers.emplace_back("Etag", tag);
  response.headers.emplace_back("Vary", "Accept");
  if (request.if_none_match == tag) {
    response.code = 304;
    response.body.clear();
    return response;
  }
  response.content_type = std::move(content_type);
  return response;
}

bool wants_aggregated(const HttpRequest& request) {
  const auto media = choose_media_type(request.accept);
  return media && media->as == "APIGroupDiscoveryList";
}

/// An access review: its path after /apis/, its kind and its status.
struct Review {
  std::string_view path;
  const char* kind;
  Json status;
};

/// Returns the access reviews with their answers: the user is `sandbox` and may do everything.
/// restrict_to_reading() corrects the answers if all objects are read-only.
const std::vector<Review>& reviews() {
  static const Json all = Json::array({"*"});
  static const Json yes = {{"allowed", true}, {"reason", "the sandbox allows everything"}};
  static const std::vector<Review> known = {
      {"authorization.k8s.io/v1/selfsubjectaccessreviews", "SelfSubjectAccessReview", yes},
      {"authorization.k8s.io/v1/subjectaccessreviews", "SubjectAccessReview", yes},
      {"authorization.k8s.io/v1/selfsubjectrulesreviews",
       "SelfSubjectRulesReview",
       {{"resourceRules", Json::array({{{"verbs", all}, {"apiGroups", all}, {"resources", all}}})},
        {"nonResourceRules", Json::array({{{"verbs", all}, {"nonResourceURLs", all}}})},
        {"incomplete", false}}},
      {"authentication.k8s.io/v1/selfsubjectreviews",
       "SelfSubjectReview",
       {{"userInfo",
         {{"username", "sandbox"}, {"groups", {"system:masters", "system:authenticated"}}}}}}};
  return known;
}

/// Changes `status`, the answer to the review `asked`, for a server whose objects are read-only.
void restrict_to_reading(const Json& asked, Json& status) {
  const Json read = {"get", "list", "watch"};
  const auto restrict = [&](const char* rules) {
    if (status.contains(rules)) status[rules][0]["verbs"] = read;
  };
  restrict("resourceRules");
  restrict("nonResourceRules");
  const Json& attributes = field(asked, "spec", "resourceAttributes");
  if (!status.contains("allowed") || attributes.is_null()) return;
  if (std::ranges::find(read, field(attributes, "verb")) != read.end()) return;
  status = {{"allowed", false}, {"reason", "this server shows a recording, which is read-only"}};
}

/// Answers an access review. Returns nullopt for any other request.
std::optional<HttpResponse> review_response(const ApiTypes& types, const HttpRequest& request) {
  constexpr std::string_view kPrefix = "/apis/";
  if (request.method != "POST" || !request.path.starts_with(kPrefix)) return std::nullopt;
  const std::string_view path = std::string_view(request.path).substr(kPrefix.size());
  for (const Review& review : reviews()) {
    if (path != review.path) continue;
    Json answer = {{"kind", review.kind},
                   {"apiVersion", std::string(path.substr(0, path.rfind('/')))},
                   {"metadata", Json::object()}};
    const Json asked = body_object(request).value_or(Json::object());
    if (!field(asked, "spec").is_null()) answer["spec"] = field(asked, "spec");
    answer["status"] = review.status;
    if (types.is_read_only()) restrict_to_reading(asked, answer["status"]);
    return json_response(201, answer);
  }
  return std::nullopt;
}

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

Json group_entry(const std::string& name, const std::set<std::string>& versions) {
  Json result = {{"name", name}, {"versions", Json::array()}};
  for (const std::string& version : versions) {
    result["versions"].push_back({{"groupVersion", name + "/" + version}, {"version", version}});
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

std::optional<HttpResponse> discovery_response(const ApiTypes& types, const HttpRequest& request,
                                               const std::vector<std::string>& parts) {
  const bool core = parts[0] == "api";
  if (parts.size() == 1 && wants_aggregated(request)) {
    return tagged_response(request, aggregated_document(types, core),
                           "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  }
  if (parts.size() == 1) {
    return json_response(200, core ? api_versions_document() : group_list_document(types));
  }
  if (!core && parts.size() == 2) {
    const auto document = group_document(types, parts[1]);
    return document ? std::optional(json_response(200, *document)) : std::nullopt;
  }
  const std::string group = core ? "" : parts[1];
  if (parts.size() != (core ? 2 : 3) || !types.has_group_version(group, parts.back())) {
    return std::nullopt;
  }
  return json_response(200, resource_list_document(types, group, parts.back()));
}

}  // namespace

std::optional<HttpResponse> document_response(const ApiTypes& types, const HttpRequest& request) {
  const std::string& path = request.path;
  if (auto review = review_response(types, request)) return review;
  const std::vector<std::string> parts = split_path(path);
  if (request.method != "GET" || parts.empty()) return std::nullopt;
  if (path == "/healthz" || path == "/readyz" || path == "/livez") return text_response(200, "ok");
  if (path == "/version" || path == "/version/") return json_response(200, version_document());
  if (path == "/openapi/v3") return json_response(200, openapi_index(types));
  if (path.starts_with("/openapi/v3/api/") && parts.size() == 4) {
    return json_response(200, openapi_document(types, "", parts[3]));
  }
  if (path.starts_with("/openapi/v3/apis/") && parts.size() == 5) {
    return json_response(200, openapi_document(types, parts[3], parts[4]));
  }
  if (parts[0] == "api" || parts[0] == "apis") return discovery_response(types, request, parts);
  return std::nullopt;
}

}  // namespace kinf::sandbox
