// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/router.h"

#include <algorithm>
#include <utility>

#include "kinf/sandbox/list_page.h"
#include "kinf/sandbox/media_type.h"
#include "kinf/sandbox/protobuf_object.h"
#include "kinf/sandbox/watch_stream.h"

namespace kinf::sandbox {
namespace {

/// A watch without a time limit of its own ends after this, as on a real server (which takes half
/// an hour to an hour).
constexpr std::chrono::seconds kDefaultWatchTimeout(2700);

constexpr const char* kObjectTypes = "application/json, application/vnd.kubernetes.protobuf";

bool dry_run(const HttpRequest& request) { return request.parameter("dryRun") == "All"; }

std::optional<ApiStatus> check_dry_run(const HttpRequest& request) {
  const std::string asked = request.parameter("dryRun");
  if (asked.empty() || asked == "All") return std::nullopt;
  return invalid("meta.k8s.io", "CreateOptions", "",
                 {{"FieldValueNotSupported",
                   "Unsupported value: \"" + asked + "\": supported values: \"All\"", "dryRun"}});
}

Answer<DeleteOptions> delete_options(const HttpRequest& request) {
  DeleteOptions options;
  options.dry_run = dry_run(request);
  std::string grace = request.parameter("gracePeriodSeconds");
  if (!request.body.empty()) {
    const Answer<Json> body = body_object(request);
    if (!body) return std::unexpected(body.error());
    const Json& seconds = field(*body, "gracePeriodSeconds");
    if (seconds.is_number_integer()) grace = seconds.dump();
    options.uid = text(field(*body, "preconditions", "uid"));
    options.resource_version = text(field(*body, "preconditions", "resourceVersion"));
    const Json& dry = field(*body, "dryRun");
    options.dry_run = options.dry_run || (dry.is_array() && !dry.empty());
  }
  if (!grace.empty()) {
    char* end = nullptr;
    options.grace_seconds = std::strtoll(grace.c_str(), &end, 10);
    if (*end != '\0' || *options.grace_seconds < 0 || *options.grace_seconds > 1'000'000'000) {
      return std::unexpected(bad_request("gracePeriodSeconds: " + grace + " is no such number"));
    }
  }
  return options;
}

Json deletion_status(const ApiType& type, const StoredObject& object) {
  Json details = {{"name", object.key.name}};
  if (!type.gvr().group.empty()) details["group"] = type.gvr().group;
  details["kind"] = type.gvr().resource;
  details["uid"] = field(object.json, "metadata", "uid");
  return {{"kind", "Status"},
          {"apiVersion", "v1"},
          {"metadata", Json::object()},
          {"status", "Success"},
          {"details", std::move(details)}};
}

std::string verb_of(const HttpRequest& request, const ResourcePath& path) {
  if (request.method == "GET") {
    if (request.flag("watch")) return "watch";
    return path.name.empty() ? "list" : "get";
  }
  if (request.method == "POST") return "create";
  if (request.method == "PUT") return "update";
  if (request.method == "PATCH") return "patch";
  return path.name.empty() ? "deletecollection" : "delete";
}

ObjectRequest describe(const HttpRequest& request, const ResourcePath& path) {
  ObjectRequest result;
  result.verb = verb_of(request, path);
  result.path = &path;
  result.continues = result.verb == "list" && !request.parameter("continue").empty();
  result.streaming_list = result.verb == "watch" && request.flag("sendInitialEvents");
  return result;
}

}  // namespace

Answer<Json> body_object(const HttpRequest& request) {
  const std::string media = bare_media_type(request.content_type);
  if (media == kProtobufType) return object_from_protobuf(request.body);
  if (!media.empty() && media != "application/json") {
    return std::unexpected(unsupported_media_type(kObjectTypes));
  }
  std::optional<Json> body = parse_json(request.body);
  if (!body || !body->is_object()) {
    return std::unexpected(bad_request("the body of the request is not a JSON object"));
  }
  return std::move(*body);
}

HttpAnswer json_answer(int code, const Json& json) {
  HttpAnswer answer;
  answer.code = code;
  answer.body = to_text(json);
  return answer;
}

HttpAnswer status_answer(const ApiStatus& status) {
  HttpAnswer answer = json_answer(status.code, status_json(status));
  if (status.retry_after) {
    answer.headers.emplace_back("Retry-After", std::to_string(status.retry_after->count()));
  }
  return answer;
}

std::optional<HttpAnswer> answer_fault_request(
    const HttpRequest& request, const std::function<Result<>(std::string_view spec)>& inject) {
  if (request.path != "/sandbox/fault") return std::nullopt;
  if (request.method != "POST") return status_answer(method_not_allowed());
  if (const Result<> done = inject(request.parameter("spec")); !done) {
    return status_answer(bad_request(done.error().message));
  }
  HttpAnswer answer;
  answer.content_type = "text/plain; charset=utf-8";
  answer.body = "ok\n";
  return answer;
}

HttpAnswer Router::handle(const HttpRequest& request) {
  if (options_.on_request) options_.on_request(request);
  if (!options_.token.empty() && request.authorization != "Bearer " + options_.token) {
    return status_answer(unauthorized());
  }
  if (auto answer = answer_fault_request(request, options_.inject)) return std::move(*answer);
  if (auto answer = handle_document(request)) return std::move(*answer);
  if (auto answer = handle_discovery(request)) return std::move(*answer);
  const ResolvedPath path = resolve_path(types_, request.path);
  if (path.resource) return handle_resource(request, *path.resource);
  if (path.has_group) return status_answer(no_such_resource());
  HttpAnswer answer;
  answer.code = 404;
  answer.content_type = "text/plain; charset=utf-8";
  answer.body = "404 page not found\n";
  return answer;
}

HttpAnswer Router::handle_resource(const HttpRequest& request, const ResourcePath& path) {
  const std::string& method = request.method;
  const std::string& sub = path.subresource;
  if (auto problem = check_dry_run(request)) return status_answer(*problem);
  const bool is_status = sub == "status" && path.type->has_status;
  if (!sub.empty() && !is_status) return handle_subresource(request, path);
  const FaultVerdict fault = faults_.judge(describe(request, path));
  if (fault.instead) return *fault.instead;
  if (method == "GET" && request.flag("watch")) return watch(request, path, fault);
  if (path.name.empty()) {
    if (method == "GET") return list(request, path, fault);
    if (method == "DELETE") return remove_all(request, path);
    const bool has_place = !path.type->type.namespaced || !path.ns.empty();
    if (method == "POST" && has_place) return create(request, path);
  } else {
    if (method == "GET") return read(request, path);
    if (method == "PUT") return replace(request, path);
    if (method == "PATCH") return patch(request, path);
    if (method == "DELETE" && !is_status) return remove(request, path);
  }
  return status_answer(method_not_allowed());
}

HttpAnswer Router::handle_subresource(const HttpRequest& request, const ResourcePath& path) {
  const std::string& sub = path.subresource;
  if (sub == "scale" && path.type->has_scale) return scale(request, path);
  if (path.type->type.kind != "Pod" || path.type->custom) return status_answer(no_such_resource());
  if (sub == "binding" && request.method == "POST") return bind(request, path);
  if (sub == "eviction" && request.method == "POST") return evict(request, path);
  if (sub == "log" || sub == "exec" || sub == "attach" || sub == "portforward") {
    return refuse_container(path);
  }
  return status_answer(no_such_resource());
}

HttpAnswer Router::evict(const HttpRequest& request, const ResourcePath& path) {
  const Answer<Json> eviction = body_object(request);
  if (!eviction) return status_answer(eviction.error());
  DeleteOptions options;
  options.dry_run = dry_run(request);
  const Json& grace = field(*eviction, "deleteOptions", "gracePeriodSeconds");
  if (grace.is_number_integer()) options.grace_seconds = std::max<std::int64_t>(0, grace);
  const Answer<Deletion> deletion = objects_.remove(*path.type, {path.ns, path.name}, options);
  if (!deletion) return status_answer(deletion.error());
  return json_answer(201, {{"kind", "Status"},
                           {"apiVersion", "v1"},
                           {"metadata", Json::object()},
                           {"status", "Success"},
                           {"code", 201}});
}

HttpAnswer Router::refuse_container(const ResourcePath& path) {
  const Answer<StoredPtr> pod = objects_.get(*path.type, {path.ns, path.name});
  if (!pod) return status_answer(pod.error());
  return status_answer(bad_request("the sandbox runs no containers: " + path.subresource +
                                   " of pod \"" + path.name + "\" is not possible"));
}

HttpAnswer Router::object_answer(int code, const HttpRequest& request, const ResourcePath& path,
                                 const Answer<StoredPtr>& object) {
  if (!object) return status_answer(object.error());
  const auto form =
      Representation::negotiate(request.accept, request.parameter("includeObject"), path.type);
  if (!form) return status_answer(form.error());
  HttpAnswer answer;
  answer.code = code;
  answer.body = form->object_text(**object, clock_.wall());
  return answer;
}

HttpAnswer Router::read(const HttpRequest& request, const ResourcePath& path) {
  return object_answer(200, request, path, objects_.get(*path.type, {path.ns, path.name}));
}

HttpAnswer Router::list(const HttpRequest& request, const ResourcePath& path,
                        const FaultVerdict& fault) {
  const auto form =
      Representation::negotiate(request.accept, request.parameter("includeObject"), path.type);
  if (!form) return status_answer(form.error());
  const auto options = parse_list_request(request, false);
  if (!options) return status_answer(options.error());
  const auto filter = ObjectFilter::parse(*path.type, path.ns, request.parameter("labelSelector"),
                                          request.parameter("fieldSelector"));
  if (!filter) return status_answer(filter.error());
  if (fault.expired && options->token) {
    return status_answer(expired_token(*options->token));
  }
  const auto page = list_page(store_, *path.type, *options, *filter);
  if (!page) return status_answer(page.error());
  HttpAnswer answer;
  answer.body = form->list_text(page->objects, page->metadata, clock_.wall());
  if (fault.garbage) answer.body = damaged(std::move(answer.body));
  return answer;
}

HttpAnswer Router::watch(const HttpRequest& request, const ResourcePath& path,
                         const FaultVerdict& fault) {
  auto form =
      Representation::negotiate(request.accept, request.parameter("includeObject"), path.type);
  if (!form) return status_answer(form.error());
  const auto options = parse_list_request(request, true);
  if (!options) return status_answer(options.error());
  // A watch of one name in the path is a watch with that field selector.
  std::string fields = request.parameter("fieldSelector");
  if (!path.name.empty()) {
    fields += (fields.empty() ? "" : ",") + ("metadata.name=" + escape_field_value(path.name));
  }
  auto filter =
      ObjectFilter::parse(*path.type, path.ns, request.parameter("labelSelector"), fields);
  if (!filter) return status_answer(filter.error());
  const std::chrono::seconds timeout =
      options->timeout_seconds > 0 && options->timeout_seconds < 1'000'000
          ? std::chrono::seconds(options->timeout_seconds)
          : kDefaultWatchTimeout;
  const auto is_served = [this, gvr = path.type->gvr()] {
    return types_.find(gvr.group, gvr.version, gvr.resource) != nullptr;
  };
  WatchPlan plan{path.type, *options,         std::move(*filter), std::move(*form),
                 timeout,   options_.on_live, is_served};
  plan.expired = fault.expired;
  plan.garbage = fault.garbage;
  plan.endless = fault.endless;
  HttpAnswer answer;
  answer.stream = [this, plan = std::move(plan)](ByteSink& sink) {
    WatchStream(store_, clock_, plan).run(sink, options_.stop);
  };
  return answer;
}

HttpAnswer Router::create(const HttpRequest& request, const ResourcePath& path) {
  Answer<Json> body = body_object(request);
  if (!body) return status_answer(body.error());
  return object_answer(201, request, path,
                       objects_.create(*path.type, path.ns, std::move(*body), dry_run(request)));
}

HttpAnswer Router::replace(const HttpRequest& request, const ResourcePath& path) {
  Answer<Json> body = body_object(request);
  if (!body) return status_answer(body.error());
  const Part part = path.subresource == "status" ? Part::status : Part::whole;
  return object_answer(
      200, request, path,
      objects_.replace(*path.type, {path.ns, path.name}, part, std::move(*body), dry_run(request)));
}

HttpAnswer Router::patch(const HttpRequest& request, const ResourcePath& path) {
  const auto edit =
      edit_from_patch(*path.type, bare_media_type(request.content_type), request.body);
  if (!edit) return status_answer(edit.error());
  const Part part = path.subresource == "status" ? Part::status : Part::whole;
  return object_answer(
      200, request, path,
      objects_.modify(*path.type, {path.ns, path.name}, part, *edit, dry_run(request)));
}

HttpAnswer Router::remove(const HttpRequest& request, const ResourcePath& path) {
  const Answer<DeleteOptions> options = delete_options(request);
  if (!options) return status_answer(options.error());
  const Answer<Deletion> deletion = objects_.remove(*path.type, {path.ns, path.name}, *options);
  if (!deletion) return status_answer(deletion.error());
  // A pod is handed back whole, as on a real server; so is whatever is still going.
  if (!deletion->gone || path.type->type.kind == "Pod") {
    return object_answer(200, request, path, deletion->object);
  }
  return json_answer(200, deletion_status(*path.type, *deletion->object));
}

HttpAnswer Router::remove_all(const HttpRequest& request, const ResourcePath& path) {
  if (path.type->type.kind == "Namespace" && !path.type->custom) {
    return status_answer(method_not_allowed());
  }
  const Answer<DeleteOptions> options = delete_options(request);
  if (!options) return status_answer(options.error());
  const auto filter = ObjectFilter::parse(*path.type, path.ns, request.parameter("labelSelector"),
                                          request.parameter("fieldSelector"));
  if (!filter) return status_answer(filter.error());
  Page removed;
  for (const StoredPtr& object : store_.list(path.type->storage_key()).objects) {
    if (!filter->matches(*object)) continue;
    const Answer<Deletion> deletion = objects_.remove(*path.type, object->key, *options);
    if (!deletion && deletion.error().code != 404) return status_answer(deletion.error());
    removed.objects.push_back(deletion ? deletion->object : object);
  }
  removed.metadata.version = std::to_string(store_.version());
  const auto form =
      Representation::negotiate(request.accept, request.parameter("includeObject"), path.type);
  if (!form) return status_answer(form.error());
  HttpAnswer answer;
  answer.body = form->list_text(removed.objects, removed.metadata, clock_.wall());
  return answer;
}

}  // namespace kinf::sandbox
