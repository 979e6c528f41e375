// SPDX-License-Identifier: Apache-2.0
// OpenAPI v3, reduced to what kubectl uses. Before a write, kubectl checks that the server supports
// `fieldValidation`; otherwise kubectl validates with its own schemas. `kubectl explain` shows the
// fields of objects. The schemas of custom types are copied from their definitions.
#include <utility>

#include "kinf/sandbox/api/document_responses.h"
#include "kinf/sandbox/api/protobuf_messages.h"

namespace kinf::sandbox {
namespace {

std::string document_path(const GroupVersionResource& gvr) {
  return gvr.group.empty() ? "api/" + gvr.version : "apis/" + gvr.group + "/" + gvr.version;
}

Json query_parameter(const char* name) {
  return {{"name", name}, {"in", "query"}, {"schema", {{"type", "string"}, {"uniqueItems", true}}}};
}

Json operation(const ApiType& type, const char* action) {
  return {{"description", std::string(action) + " a " + type.kind},
          {"operationId", std::string(action) + type.kind},
          {"parameters",
           {query_parameter("dryRun"), query_parameter("fieldManager"),
            query_parameter("fieldValidation")}},
          {"responses", {{"200", {{"description", "OK"}}}}},
          {"x-kubernetes-action", action},
          {"x-kubernetes-group-version-kind",
           {{"group", type.gvr.group}, {"version", type.gvr.version}, {"kind", type.kind}}}};
}

/// Collects the schemas of objects and of all messages that they use, by name.
class SchemaCollector {
 public:
  /// Adds the schema of an object.
  void add_object(const ApiType& type) {
    const std::string& kind = type.kind;
    const std::string name = type.custom ? type.gvr.group + "." + kind : kind;
    if (type.custom) {
      schemas_[name] = type.schema;
    } else {
      need(kind);
    }
    Json& schema = object_at(schemas_, name);
    schema["x-kubernetes-group-version-kind"] =
        Json::array({{{"group", type.gvr.group}, {"version", type.gvr.version}, {"kind", kind}}});
  }
  Json take() { return std::move(schemas_); }

 private:
  void need(const std::string& message) {
    if (schemas_.contains(message)) return;
    schemas_[message] = {{"type", "object"}};
    const MessageFields* fields = message_fields(message);
    if (fields == nullptr) return;
    Json properties = Json::object();
    add_properties(*fields, properties);
    schemas_[message]["properties"] = std::move(properties);
  }

  void add_properties(const MessageFields& fields, Json& into) {
    for (const auto& [number, field] : fields) {
      if (field.is_inline) {
        if (const MessageFields* inner = message_fields(field.type)) add_properties(*inner, into);
        continue;
      }
      Json schema = schema_of(field.type);
      if (field.is_list) schema = {{"type", "array"}, {"items", std::move(schema)}};
      if (field.is_map) schema = {{"type", "object"}, {"additionalProperties", std::move(schema)}};
      into[field.name] = std::move(schema);
    }
  }

  Json schema_of(const std::string& type) {
    if (type == "i") return {{"type", "integer"}};
    if (type == "b") return {{"type", "boolean"}};
    if (type == "s" || type == "Q") return {{"type", "string"}};
    if (type == "x") return {{"type", "string"}, {"format", "byte"}};
    if (type == "T" || type == "U") return {{"type", "string"}, {"format", "date-time"}};
    if (type == "I") return {{"type", "string"}, {"format", "int-or-string"}};
    if (type == "R" || type == "F") return {{"type", "object"}};
    need(type);
    return {{"$ref", "#/components/schemas/" + type}};
  }

  Json schemas_ = Json::object();
};

}  // namespace

Json openapi_index(const ApiTypes& types) {
  Json result = {{"paths", Json::object()}};
  for (const ApiTypePtr& type : types.all()) {
    const std::string path = document_path(type->gvr);
    result["paths"][path] = {{"serverRelativeURL", "/openapi/v3/" + path}};
  }
  return result;
}

Json openapi_document(const ApiTypes& types, std::string_view group, std::string_view version) {
  Json result = {{"openapi", "3.0.0"},
                 {"info", {{"title", "kinf sandbox"}, {"version", "unversioned"}}},
                 {"paths", Json::object()}};
  SchemaCollector schemas;
  for (const ApiTypePtr& type : types.all()) {
    if (type->gvr.group != group || type->gvr.version != version) continue;
    schemas.add_object(*type);
    const std::string scope = type->namespaced ? "/namespaces/{namespace}/" : "/";
    const std::string collection = "/" + document_path(type->gvr) + scope + type->gvr.resource;
    result["paths"][collection] = {{"post", operation(*type, "post")}};
    result["paths"][collection + "/{name}"] = {{"put", operation(*type, "put")},
                                               {"patch", operation(*type, "patch")}};
  }
  result["components"]["schemas"] = schemas.take();
  return result;
}

}  // namespace kinf::sandbox
