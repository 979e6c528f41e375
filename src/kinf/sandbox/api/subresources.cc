// SPDX-License-Identifier: Apache-2.0
// The parts of objects that have a form of their own: scales and bindings; and patches, which are
// edits in three notations.
#include "kinf/base/log.h"
#include "kinf/sandbox/media_type.h"
#include "kinf/sandbox/patch.h"
#include "kinf/sandbox/router.h"

namespace kinf::sandbox {
namespace {

constexpr std::size_t kMaxOperations = 10'000;  // as the real server has it
constexpr const char* kPatchTypes =
    "application/json-patch+json, application/merge-patch+json, "
    "application/strategic-merge-patch+json";

/// `object`'s member at `.spec.replicas`, or null.
const Json& at_path(const Json& object, std::string_view path) {
  static const Json nothing;
  const Json* found = &object;
  while (path.starts_with('.')) {
    path.remove_prefix(1);
    const std::string_view name = path.substr(0, path.find('.'));
    found = &field(*found, name);
    path.remove_prefix(name.size());
  }
  return found == &object ? nothing : *found;
}

void set_at_path(Json& object, std::string_view path, const Json& value) {
  path.remove_prefix(1);
  const std::string_view name = path.substr(0, path.find('.'));
  path.remove_prefix(name.size());
  if (path.empty()) {
    object[std::string(name)] = value;
  } else {
    set_at_path(object_at(object, name), path, value);
  }
}

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

Json scale_of(const ApiType& type, const Json& object) {
  const Json& metadata = field(object, "metadata");
  Json scale = {{"kind", "Scale"}, {"apiVersion", "autoscaling/v1"}};
  for (const char* key : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    if (metadata.contains(key)) scale["metadata"][key] = metadata[key];
  }
  const Json& wanted = at_path(object, type.scale.wanted);
  const Json& present = at_path(object, type.scale.present);
  scale["spec"] = {{"replicas", wanted.is_null() ? Json(0) : wanted}};
  scale["status"] = {{"replicas", present.is_null() ? Json(0) : present}};
  const std::string selector =
      type.custom ? text(at_path(object, type.scale.selector)) : selector_text(object);
  if (!selector.empty()) scale["status"]["selector"] = selector;
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
  if (is_json && parsed->size() > kMaxOperations) {
    return std::unexpected(too_large_patch(parsed->size(), kMaxOperations));
  }
  return [patch = *parsed, is_json, is_strategic](const Json& current) -> Answer<Json> {
    if (is_json) {
      auto patched = apply_json_patch(current, patch);
      if (patched) return std::move(*patched);
      log::verbose(2, "sandbox: JSON patch refused: {}", patched.error());
      return std::unexpected(unprocessable_patch());
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
    return object ? json_answer(200, scale_of(*path.type, (*object)->json))
                  : status_answer(object.error());
  }
  ObjectService::Edit edit_scale;
  if (request.method == "PUT") {
    const Answer<Json> scale = body_object(request);
    if (!scale) return status_answer(scale.error());
    edit_scale = [scale = *scale](const Json&) -> Answer<Json> { return scale; };
  } else if (request.method == "PATCH") {
    auto edit = edit_from_patch(*path.type, bare_media_type(request.content_type), request.body);
    if (!edit) return status_answer(edit.error());
    edit_scale = std::move(*edit);
  } else {
    return status_answer(method_not_allowed());
  }
  const auto edit = [&](const Json& current) -> Answer<Json> {
    const Answer<Json> scale = edit_scale(scale_of(*path.type, current));
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
    set_at_path(result, path.type->scale.wanted, replicas);
    return result;
  };
  const Answer<StoredPtr> object =
      objects_.modify(*path.type, key, Part::whole, edit, request.parameter("dryRun") == "All");
  return object ? json_answer(200, scale_of(*path.type, (*object)->json))
                : status_answer(object.error());
}

HttpAnswer Router::bind(const HttpRequest& request, const ResourcePath& path) {
  const Answer<Json> binding = body_object(request);
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
