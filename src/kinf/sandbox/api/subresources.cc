// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/subresources.h"

#include <algorithm>

#include "kinf/columns/fields.h"
#include "kinf/sandbox/api/http_responses.h"
#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/api/patch.h"

namespace kinf::sandbox {
namespace {

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
  const Json& selector = field(object, "spec", "selector");
  if (type.custom) {
    const std::string shown = text(at_path(object, type.scale.selector));
    if (!shown.empty()) scale["status"]["selector"] = shown;
  } else if (!selector.empty()) {
    scale["status"]["selector"] = type.kind == "ReplicationController"
                                      ? columns::labels_text(selector)
                                      : columns::selector_text(selector);
  }
  return scale;
}

HttpResponse scale_response(ObjectService& objects, const HttpRequest& request,
                            const ResourcePath& path, const std::stop_token& stop) {
  const ObjectKey key{path.ns, path.name};
  if (request.method == "GET") {
    const ApiResult<StoredPtr> object = objects.get(*path.type, key);
    return object ? json_response(200, scale_of(*path.type, (*object)->json))
                  : status_response(object.error());
  }
  ObjectEdit edit_scale;
  if (request.method == "PUT") {
    const ApiResult<Json> scale = body_object(request);
    if (!scale) return status_response(scale.error());
    edit_scale = [scale = *scale](const Json&) -> ApiResult<Json> { return scale; };
  } else if (request.method == "PATCH") {
    auto edit = parse_patch(*path.type, bare_media_type(request.content_type), request.body, stop);
    if (!edit) return status_response(edit.error());
    edit_scale = std::move(*edit);
  } else {
    return status_response(method_not_allowed());
  }
  const auto edit = [&](const Json& current) -> ApiResult<Json> {
    const ApiResult<Json> scale = edit_scale(scale_of(*path.type, current));
    if (!scale) return std::unexpected(scale.error());
    if (is_outdated(*scale, current)) {
      return std::unexpected(modified_meanwhile(path.type->gvr, path.name));
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
  const ApiResult<StoredPtr> object =
      objects.modify(*path.type, key, Part::whole, edit, is_dry_run(request),
                     manager_of(request, path.subresource));
  return object ? json_response(200, scale_of(*path.type, (*object)->json))
                : status_response(object.error());
}

HttpResponse bind(ObjectService& objects, const HttpRequest& request, const ResourcePath& path) {
  const ApiResult<Json> binding = body_object(request);
  const std::string node = binding ? text(field(*binding, "target", "name")) : "";
  if (node.empty()) {
    return status_response(invalid("", "Binding", path.name,
                                   {{"FieldValueRequired", "Required value", "target.name"}}));
  }
  const auto edit = [&](const Json& current) -> ApiResult<Json> {
    const std::string bound = text(field(current, "spec", "nodeName"));
    if (!bound.empty()) {
      return std::unexpected(
          conflict(path.type->gvr, path.name,
                   "pod " + path.name + " is already assigned to node \"" + bound + "\""));
    }
    Json result = current;
    bind_pod(result, node, objects.timestamp());
    return result;
  };
  const ApiResult<StoredPtr> object =
      objects.modify(*path.type, {path.ns, path.name}, Part::everything, edit, false);
  if (!object) return status_response(object.error());
  return success_response(201);
}

HttpResponse evict(ObjectService& objects, const HttpRequest& request, const ResourcePath& path) {
  const ApiResult<Json> eviction = body_object(request);
  if (!eviction) return status_response(eviction.error());
  DeleteOptions options;
  options.dry_run = is_dry_run(request);
  const Json& grace = field(*eviction, "deleteOptions", "gracePeriodSeconds");
  if (grace.is_number_integer()) options.grace_seconds = std::max<std::int64_t>(0, grace);
  const ApiResult<Deletion> deletion = objects.remove(*path.type, {path.ns, path.name}, options);
  return deletion ? success_response(201) : status_response(deletion.error());
}

}  // namespace

HttpResponse subresource_response(ObjectService& objects, const HttpRequest& request,
                                  const ResourcePath& path, const std::stop_token& stop) {
  const std::string& sub = path.subresource;
  if (sub == "scale" && path.type->has_scale) return scale_response(objects, request, path, stop);
  const bool is_pod = path.type->has(TypeTrait::runs_on_node);
  if (is_pod && sub == "binding" && request.method == "POST") return bind(objects, request, path);
  if (is_pod && sub == "eviction" && request.method == "POST") return evict(objects, request, path);
  if (is_pod && (sub == "log" || sub == "exec" || sub == "attach" || sub == "portforward")) {
    const ApiResult<StoredPtr> pod = objects.get(*path.type, {path.ns, path.name});
    return status_response(pod ? bad_request("the sandbox runs no containers: " + sub +
                                             " of pod \"" + path.name + "\" is not possible")
                               : pod.error());
  }
  return status_response(no_such_resource());
}

}  // namespace kinf::sandbox
