// SPDX-License-Identifier: Apache-2.0
// OpenAPI v3, reduced to what kubectl looks for: before it sends a write it asks whether the server
// checks fields itself (`fieldValidation`), and falls back to schemas of its own if not.
#include "kinf/sandbox/discovery_documents.h"

namespace kinf::sandbox {
namespace {

std::string document_path(const GroupVersionResource& gvr) {
  return gvr.group.empty() ? "api/" + gvr.version : "apis/" + gvr.group + "/" + gvr.version;
}

Json query_parameter(const char* name) {
  return {{"name", name}, {"in", "query"}, {"schema", {{"type", "string"}, {"uniqueItems", true}}}};
}

Json operation(const ApiType& type, const char* action) {
  return {
      {"description", std::string(action) + " a " + type.type.kind},
      {"operationId", std::string(action) + type.type.kind},
      {"parameters",
       {query_parameter("dryRun"), query_parameter("fieldManager"),
        query_parameter("fieldValidation")}},
      {"responses", {{"200", {{"description", "OK"}}}}},
      {"x-kubernetes-action", action},
      {"x-kubernetes-group-version-kind",
       {{"group", type.gvr().group}, {"version", type.gvr().version}, {"kind", type.type.kind}}}};
}

}  // namespace

Json openapi_index(const ApiTypes& types) {
  Json result = {{"paths", Json::object()}};
  for (const ApiTypePtr& type : types.all()) {
    const std::string path = document_path(type->gvr());
    result["paths"][path] = {{"serverRelativeURL", "/openapi/v3/" + path}};
  }
  return result;
}

Json openapi_document(const ApiTypes& types, std::string_view group, std::string_view version) {
  Json result = {{"openapi", "3.0.0"},
                 {"info", {{"title", "kinf sandbox"}, {"version", "unversioned"}}},
                 {"paths", Json::object()},
                 {"components", {{"schemas", Json::object()}}}};
  for (const ApiTypePtr& type : types.all()) {
    if (type->gvr().group != group || type->gvr().version != version) continue;
    const std::string scope = type->type.namespaced ? "/namespaces/{namespace}/" : "/";
    const std::string collection = "/" + document_path(type->gvr()) + scope + type->gvr().resource;
    result["paths"][collection] = {{"post", operation(*type, "post")}};
    result["paths"][collection + "/{name}"] = {{"put", operation(*type, "put")},
                                               {"patch", operation(*type, "patch")}};
  }
  return result;
}

}  // namespace kinf::sandbox
