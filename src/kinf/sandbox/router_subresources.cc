// SPDX-License-Identifier: Apache-2.0
// The parts of objects that have a form of their own: scales and bindings; and patches, which are
// edits in three notations.
#include "kinf/sandbox/media_type.h"
#include "kinf/sandbox/patch.h"
#include "kinf/sandbox/router.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kPatchTypes =
    "application/json-patch+json, application/merge-patch+json, "
    "application/strategic-merge-patch+json";

/// The selector of a workload as text, as the scale shows it.
std::string selector_text(const Json& object) {
  const Json& selector = field(object, "spec", "selector");
  const Json& labels = selector.contains("matchLabels") ? selector["matchLabels"] : selector;
  std::string result;
  if (!labels.is_object()) return result;
  for (const auto& [key, value] : labels.items()) {
    if (!result.empty()) result += ',';
    result += key + "=" + text(value);
  }
  return result;
}

}  // namespace

Json scale_of(const Json& object) {
  const Json& metadata = field(object, "metadata");
  Json scale = {{"kind", "Scale"}, {"apiVersion", "autoscaling/v1"}};
  for (const char* key : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    if (metadata.contains(key)) scale["metadata"][key] = metadata[key];
  }
  const Json& wanted = field(object, "spec", "replicas");
  const Json& present = field(object, "status", "replicas");
  scale["spec"] = {{"replicas", wanted.is_null() ? Json(0) : wanted}};
  scale["status"] = {{"replicas", present.is_null() ? Json(0) : present},
                     {"selector", selector_text(object)}};
  return scale;
}

Answer<ObjectService::Edit> edit_from_patch(const ApiType& type, const std::string& media_type,
                                            const std::string& body) {
  const bool is_json = media_type == "application/json-patch+json";
  const bool is_strategic = media_type == "application/strategic-merge-patch+json";
  if (!is_json && !is_strategic && media_type != "application/merge-patch+json") {
    return std::unexpected(unsupported_media_type(kPatchTypes));
  }
  // Custom types have no schema from which a strategic patch could know the keys of lists.
  if (is_strategic && type.custom) {
    return std::unexpected(
        unsupported_media_type("application/json-patch+json, application/merge-patch+json"));
  }
  const std::optional<Json> parsed = parse_json(body);
  if (!parsed || (is_json ? !parsed->is_array() : !parsed->is_object())) {
    return std::unexpected(bad_request("error decoding patch: the body is not a patch"));
  }
  return [patch = *parsed, is_json, is_strategic](const Json& current) -> Answer<Json> {
    if (is_json) {
      auto patched = apply_json_patch(current, patch);
      if (patched) return std::move(*patched);
      ApiStatus status = bad_request(
          "the server rejected our request due to an error in our "
          "request: " +
          patched.error());
      status.code = 422;
      status.reason = "Invalid";
      return std::unexpected(std::move(status));
    }
    Json result = current;
    is_strategic ? apply_strategic_patch(result, patch) : apply_merge_patch(result, patch);
    const std::string base = text(field(patch, "metadata", "resourceVersion"));
    if (!base.empty() && base != text(field(current, "metadata", "resourceVersion"))) {
      ApiStatus status = bad_request("");
      status.code = 409;
      status.reason = "Conflict";
      status.message =
          "the object has been modified; please apply your changes to the latest version and try "
          "again";
      return std::unexpected(std::move(status));
    }
    return result;
  };
}

HttpAnswer Router::scale(const HttpRequest& request, const ResourcePath& path) {
  const ObjectKey key{path.ns, path.name};
  if (request.method == "GET") {
    const Answer<StoredPtr> object = objects_.get(*path.type, key);
    return object ? json_answer(200, scale_of((*object)->json)) : status_answer(object.error());
  }
  ObjectService::Edit edit_scale;
  if (request.method == "PUT") {
    const std::optional<Json> scale = parse_json(request.body);
    if (!scale || !scale->is_object()) {
      return status_answer(bad_request("the body of the request is not a JSON object"));
    }
    edit_scale = [scale](const Json&) -> Answer<Json> { return *scale; };
  } else if (request.method == "PATCH") {
    auto edit = edit_from_patch(*path.type, bare_media_type(request.content_type), request.body);
    if (!edit) return status_answer(edit.error());
    edit_scale = std::move(*edit);
  } else {
    return status_answer(method_not_allowed());
  }
  const auto edit = [&](const Json& current) -> Answer<Json> {
    const Answer<Json> scale = edit_scale(scale_of(current));
    if (!scale) return std::unexpected(scale.error());
    const std::string base = text(field(*scale, "metadata", "resourceVersion"));
    if (!base.empty() && base != text(field(current, "metadata", "resourceVersion"))) {
      return std::unexpected(modified_meanwhile(path.type->gvr(), path.name));
    }
    const Json& replicas = field(*scale, "spec", "replicas");
    if (!replicas.is_number_integer() || replicas.get<std::int64_t>() < 0) {
      return std::unexpected(
          invalid("autoscaling", "Scale", path.name,
                  {{"FieldValueInvalid", "Invalid value: must be greater than or equal to 0",
                    "spec.replicas"}}));
    }
    Json result = current;
    object_at(result, "spec")["replicas"] = replicas;
    return result;
  };
  const Answer<StoredPtr> object =
      objects_.modify(*path.type, key, Part::whole, edit, request.parameter("dryRun") == "All");
  return object ? json_answer(200, scale_of((*object)->json)) : status_answer(object.error());
}

HttpAnswer Router::bind(const HttpRequest& request, const ResourcePath& path) {
  const std::optional<Json> binding = parse_json(request.body);
  const std::string node = binding ? text(field(*binding, "target", "name")) : "";
  if (node.empty()) {
    return status_answer(invalid("", "Binding", path.name,
                                 {{"FieldValueRequired", "Required value", "target.name"}}));
  }
  const auto edit = [&](const Json& current) -> Answer<Json> {
    const std::string bound = text(field(current, "spec", "nodeName"));
    if (!bound.empty()) {
      return std::unexpected(
          conflict(path.type->gvr(), path.name,
                   "pod " + path.name + " is already assigned to node \"" + bound + "\""));
    }
    Json result = current;
    object_at(result, "spec")["nodeName"] = node;
    return result;
  };
  const Answer<StoredPtr> object =
      objects_.modify(*path.type, {path.ns, path.name}, Part::whole, edit, false);
  if (!object) return status_answer(object.error());
  return json_answer(201, {{"kind", "Status"},
                           {"apiVersion", "v1"},
                           {"metadata", Json::object()},
                           {"status", "Success"},
                           {"code", 201}});
}

}  // namespace kinf::sandbox
