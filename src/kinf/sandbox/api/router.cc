// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/router.h"

#include <memory>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/sandbox/api/document_responses.h"
#include "kinf/sandbox/api/http_responses.h"
#include "kinf/sandbox/api/list_request.h"
#include "kinf/sandbox/api/patch.h"
#include "kinf/sandbox/api/subresources.h"
#include "kinf/sandbox/api/watch_stream.h"

namespace kinf::sandbox {
namespace {

/// The default timeout of a watch. A real server chooses 30 to 60 minutes.
constexpr std::chrono::seconds kDefaultWatchTimeout(2700);

std::optional<ApiStatus> check_dry_run(const HttpRequest& request) {
  const std::string asked = request.parameter("dryRun");
  if (asked.empty() || asked == "All") return std::nullopt;
  return invalid("meta.k8s.io", "CreateOptions", "",
                 {{"FieldValueNotSupported",
                   "Unsupported value: \"" + asked + "\": supported values: \"All\"", "dryRun"}});
}

Propagation propagation_of(const std::string& policy) {
  if (policy == "Foreground") return Propagation::foreground;
  if (policy == "Orphan") return Propagation::orphan;
  return policy == "Background" ? Propagation::background : Propagation::unset;
}

ApiResult<DeleteOptions> delete_options(const HttpRequest& request) {
  DeleteOptions options;
  options.dry_run = is_dry_run(request);
  options.propagation = propagation_of(request.parameter("propagationPolicy"));
  std::string grace = request.parameter("gracePeriodSeconds");
  if (!request.body.empty()) {
    const ApiResult<Json> body = body_object(request);
    if (!body) return std::unexpected(body.error());
    const Json& seconds = field(*body, "gracePeriodSeconds");
    if (seconds.is_number_integer()) grace = seconds.dump();
    options.uid = text(field(*body, "preconditions", "uid"));
    const std::string policy = text(field(*body, "propagationPolicy"));
    if (!policy.empty()) options.propagation = propagation_of(policy);
    options.resource_version = text(field(*body, "preconditions", "resourceVersion"));
    const Json& dry = field(*body, "dryRun");
    options.dry_run = options.dry_run || (dry.is_array() && !dry.empty());
  }
  if (grace.empty()) return options;
  options.grace_seconds = parse_number<std::int64_t>(grace);
  if (options.grace_seconds.value_or(-1) < 0 || *options.grace_seconds > 1'000'000'000) {
    return std::unexpected(bad_request("invalid gracePeriodSeconds: " + grace));
  }
  return options;
}

ObjectRequest object_request(const HttpRequest& request, const ResourcePath& path) {
  ObjectRequest result;
  result.gvr = path.type->gvr;
  if (request.method == "GET") {
    result.verb = request.flag("watch") ? "watch" : path.name.empty() ? "list" : "get";
  } else if (request.method == "DELETE") {
    result.verb = path.name.empty() ? "deletecollection" : "delete";
  } else {
    result.verb = request.method == "POST"  ? "create"
                  : request.method == "PUT" ? "update"
                                            : "patch";
  }
  result.continues = result.verb == "list" && !request.parameter("continue").empty();
  result.streaming_list = result.verb == "watch" && request.flag("sendInitialEvents");
  return result;
}

HttpResponse refusal_response(const FaultSpec& fault, const ObjectRequest& request,
                              const std::string& ns) {
  if (fault.kind == FaultKind::deny) {
    return status_response(forbidden(request.gvr, request.verb, ns));
  }
  if (fault.kind == FaultKind::error) {
    ApiStatus status = server_error(fault.code);
    status.retry_after = fault.retry_after;
    return status_response(status);
  }
  const std::chrono::seconds after = fault.retry_after.value_or(std::chrono::seconds(1));
  if (!fault.as_text) return status_response(too_many_requests(after));
  // The in-flight limit of a real server answers in plain text, because it applies before the
  // request is parsed.
  HttpResponse response = text_response(429, "Too many requests, please try again later.\n");
  response.headers.emplace_back("Retry-After", std::to_string(after.count()));
  return response;
}

/// Returns the filter of a list, watch or deletecollection request.
ApiResult<ObjectFilter> requested_filter(const HttpRequest& request, const ResourcePath& path) {
  std::string fields = request.parameter("fieldSelector");
  // In a watch, a name in the path acts as a field selector.
  if (!path.name.empty()) {
    fields += (fields.empty() ? "" : ",") + ("metadata.name=" + escape_field_value(path.name));
  }
  return ObjectFilter::parse(*path.type, path.ns, request.parameter("labelSelector"), fields);
}

/// Returns whether a watch is a streaming list: the client asks for the initial events, or the API
/// server adds them by default (apimachinery internalversion/defaults.go).
bool is_streaming_list(const HttpRequest& request, const ListRequest& options) {
  if (!request.parameter("sendInitialEvents").empty() || options.match != VersionMatch::unset) {
    return options.send_initial_events;
  }
  return options.bookmarks && options.version.value_or(0) == 0;
}

Part part_of(const ResourcePath& path) {
  return path.subresource == "status" ? Part::status : Part::whole;
}

/// Returns the response for a subresource. That of a scale may be a Table.
HttpResponse scale_form(HttpResponse response, const HttpRequest& request, const ResourcePath& path,
                        Clock::Wall now) {
  if (path.subresource != "scale" || response.code != 200) return response;
  static const ApiTypePtr type = [] {
    auto made = std::make_shared<ApiType>();
    made->gvr = {"autoscaling", "v1", "scales"};
    made->kind = "Scale";
    return made;
  }();
  const auto form =
      ResponseForm::negotiate(request.accept, request.parameter("includeObject"), type);
  if (!form) return status_response(form.error());
  StoredObject scale;
  scale.json = parse_json(response.body).value_or(Json::object());
  scale.text = std::move(response.body);
  response.body = form->object_text(scale, now);
  return response;
}

}  // namespace

HttpResponse Router::handle(const HttpRequest& request) {
  if (options_.on_request) options_.on_request(request);
  if (!options_.token.empty() && request.authorization != "Bearer " + options_.token) {
    return status_response(unauthorized());
  }
  if (auto response = fault_endpoint(request, options_.inject)) return std::move(*response);
  if (auto response = document_response(types_, request)) return std::move(*response);
  const ResolvedPath path = resolve_path(types_, request.path);
  if (path.resource) return handle_resource(request, *path.resource);
  return path.has_group ? status_response(no_such_resource())
                        : text_response(404, "404 page not found\n");
}

HttpResponse Router::handle_resource(const HttpRequest& request, const ResourcePath& path) {
  if (path.type->read_only && request.method != "GET") {
    return status_response(read_only(path.type->gvr, path.name));
  }
  if (auto problem = check_dry_run(request)) return status_response(*problem);
  const bool is_status = path.subresource == "status" && path.type->has_status;
  if (!path.subresource.empty() && !is_status)
    return scale_form(subresource_response(objects_, request, path, options_.stop), request, path,
                      clock_.wall());
  const ObjectRequest asked = object_request(request, path);
  const RequestFault fault = faults_.take(asked);
  if (fault.refusal) return refusal_response(*fault.refusal, asked, path.ns);
  auto form =
      ResponseForm::negotiate(request.accept, request.parameter("includeObject"), path.type);
  if (!form) return status_response(form.error());
  const Call call{request, path, *std::move(form), fault, {path.ns, path.name}};
  const bool has_place = !path.type->namespaced || !path.ns.empty();
  if (asked.verb == "watch") return watch(call);
  if (asked.verb == "list") return list(call);
  if (asked.verb == "deletecollection") return remove_all(call);
  if (asked.verb == "create" && path.name.empty() && has_place) return create(call);
  if (path.name.empty()) return status_response(method_not_allowed());
  if (asked.verb == "get") {
    return object_response(200, call, objects_.get(*path.type, call.key));
  }
  if (asked.verb == "update") return replace(call);
  if (asked.verb == "patch") return patch(call);
  if (asked.verb == "delete" && !is_status) return remove(call);
  return status_response(method_not_allowed());
}

HttpResponse Router::object_response(int code, const Call& call,
                                     const ApiResult<StoredPtr>& object) {
  if (!object) return status_response(object.error());
  return {.code = code, .body = call.form.object_text(**object, clock_.wall())};
}

HttpResponse Router::list(const Call& call) {
  const auto options = parse_list_request(call.request, false);
  if (!options) return status_response(options.error());
  const auto filter = requested_filter(call.request, call.path);
  if (!filter) return status_response(filter.error());
  if (call.fault.expired && options->token) return status_response(expired_token(*options->token));
  const auto page = list_page(store_, *call.path.type, *options, *filter);
  if (!page) return status_response(page.error());
  std::string list = call.form.list_text(page->objects, page->metadata, clock_.wall());
  return {.body = call.fault.garbage ? damaged(std::move(list)) : std::move(list)};
}

HttpResponse Router::watch(const Call& call) {
  const auto options = parse_list_request(call.request, true);
  if (!options) return status_response(options.error());
  auto filter = requested_filter(call.request, call.path);
  if (!filter) return status_response(filter.error());
  const std::chrono::seconds timeout =
      options->timeout_seconds > 0 && options->timeout_seconds < 1'000'000
          ? std::chrono::seconds(options->timeout_seconds)
          : kDefaultWatchTimeout;
  const auto is_served = [this, gvr = call.path.type->gvr] {
    return types_.find(gvr.group, gvr.version, gvr.resource) != nullptr;
  };
  WatchStreamOptions plan{call.path.type, *options,           std::move(*filter), call.form,
                          timeout,        options_.on_synced, is_served,          call.fault};
  HttpResponse response;
  // kube-apiserver 1.37 compresses streaming lists and their later events, but no other watches.
  response.compress_stream = is_streaming_list(call.request, *options);
  response.stream = std::make_unique<WatchStream>(store_, clock_, std::move(plan));
  return response;
}

HttpResponse Router::create(const Call& call) {
  ApiResult<Json> body = body_object(call.request);
  if (!body) return status_response(body.error());
  return object_response(
      201, call,
      objects_.create(*call.path.type, call.path.ns, std::move(*body), is_dry_run(call.request),
                      manager_of(call.request, call.path.subresource)));
}

HttpResponse Router::replace(const Call& call) {
  ApiResult<Json> body = body_object(call.request);
  if (!body) return status_response(body.error());
  return object_response(
      200, call,
      objects_.replace(*call.path.type, call.key, part_of(call.path), std::move(*body),
                       is_dry_run(call.request), manager_of(call.request, call.path.subresource)));
}

HttpResponse Router::patch(const Call& call) {
  const auto edit = parse_patch(*call.path.type, bare_media_type(call.request.content_type),
                                call.request.body, options_.stop);
  if (!edit) return status_response(edit.error());
  return object_response(
      200, call,
      objects_.modify(*call.path.type, call.key, part_of(call.path), *edit,
                      is_dry_run(call.request), manager_of(call.request, call.path.subresource)));
}

HttpResponse Router::remove(const Call& call) {
  const ResourcePath& path = call.path;
  const ApiResult<DeleteOptions> options = delete_options(call.request);
  if (!options) return status_response(options.error());
  const ApiResult<Deletion> deletion = objects_.remove(*path.type, call.key, *options);
  if (!deletion) return status_response(deletion.error());
  // The real server returns the complete object if it is a pod or still exists.
  if (!deletion->gone || path.type->has(TypeTrait::runs_on_node)) {
    return object_response(200, call, deletion->object);
  }
  Json details = {{"name", path.name}};
  if (!path.type->gvr.group.empty()) details["group"] = path.type->gvr.group;
  details["kind"] = path.type->gvr.resource;
  details["uid"] = field(deletion->object->json, "metadata", "uid");
  return success_response(200, std::move(details));
}

HttpResponse Router::remove_all(const Call& call) {
  const ApiType& type = *call.path.type;
  if (type.has(TypeTrait::holds_objects)) return status_response(method_not_allowed());
  const ApiResult<DeleteOptions> options = delete_options(call.request);
  if (!options) return status_response(options.error());
  const auto filter = requested_filter(call.request, call.path);
  if (!filter) return status_response(filter.error());
  Page removed;
  for (const StoredPtr& object : store_.list(type.storage_key()).objects) {
    if (!filter->matches(*object)) continue;
    const ApiResult<Deletion> deletion = objects_.remove(type, object->key, *options);
    if (!deletion && deletion.error().code != 404) return status_response(deletion.error());
    removed.objects.push_back(deletion ? deletion->object : object);
  }
  removed.metadata.version = std::to_string(store_.version());
  return {.body = call.form.list_text(removed.objects, removed.metadata, clock_.wall())};
}

}  // namespace kinf::sandbox
