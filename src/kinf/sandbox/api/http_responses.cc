// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/http_responses.h"

#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/limits.h"
#include "kinf/sandbox/api/protobuf_object.h"

namespace kinf::sandbox {

HttpResponse json_response(int code, const Json& json) {
  return {.code = code, .body = to_text(json)};
}

HttpResponse text_response(int code, std::string body) {
  return {.code = code, .content_type = "text/plain; charset=utf-8", .body = std::move(body)};
}

HttpResponse status_response(const ApiStatus& status) {
  HttpResponse response = json_response(status.code, status_json(status));
  if (status.retry_after) {
    response.headers.emplace_back("Retry-After", std::to_string(status.retry_after->count()));
  }
  return response;
}

HttpResponse success_response(int code, Json details) {
  Json status = {{"kind", "Status"},
                 {"apiVersion", "v1"},
                 {"metadata", Json::object()},
                 {"status", "Success"}};
  const bool has_details = !details.is_null();
  status[has_details ? "details" : "code"] = has_details ? std::move(details) : Json(code);
  return json_response(code, status);
}

FieldManager manager_of(const HttpRequest& request, const std::string& subresource) {
  std::string name = request.parameter("fieldManager");
  if (name.empty()) name = request.user_agent.substr(0, request.user_agent.find('/'));
  return {name.substr(0, limits::kManagerBytes), "Update", subresource};
}

ApiResult<Json> body_object(const HttpRequest& request) {
  const std::string media = bare_media_type(request.content_type);
  if (media == kProtobufType) return object_from_protobuf(request.body);
  if (!media.empty() && media != "application/json") {
    return std::unexpected(
        unsupported_media_type("application/json, application/vnd.kubernetes.protobuf"));
  }
  std::optional<Json> body = parse_json(request.body);
  if (!body || !body->is_object()) {
    return std::unexpected(bad_request("the body of the request is not a JSON object"));
  }
  return std::move(*body);
}

std::optional<HttpResponse> fault_endpoint(
    const HttpRequest& request, const std::function<Result<void>(std::string_view spec)>& inject) {
  if (request.path != "/sandbox/fault") return std::nullopt;
  if (request.method != "POST") return status_response(method_not_allowed());
  if (const Result<void> done = inject(request.parameter("spec")); !done) {
    return status_response(bad_request(done.error().message));
  }
  return text_response(200, "ok\n");
}

namespace {

/// Returns whether the server supports the representation in `media` and its version.
bool is_known(const MediaType& media) {
  if (media.as.empty()) return true;
  if (media.as == "APIGroupDiscoveryList") {
    return media.group == "apidiscovery.k8s.io" && media.version == "v2";
  }
  return (media.as == "Table" || media.as == "PartialObjectMetadata" ||
          media.as == "PartialObjectMetadataList") &&
         media.group == "meta.k8s.io" && media.version == "v1";
}

/// Returns whether `fields`, the value of the parameter `drop`, contains metadata.managedFields.
/// The names in `fields` are separated by `+`. Ignores other names.
bool drops_managed_fields(std::string_view fields) {
  while (!fields.empty()) {
    if (trimmed(take_until(fields, "+")) == "metadata.managedFields") return true;
  }
  return false;
}

std::optional<MediaType> parse_entry(std::string_view entry) {
  const std::string_view type = trimmed(take_until(entry, ";"));
  if (type != "application/json" && type != "*/*" && type != "application/*") {
    return std::nullopt;
  }
  MediaType media;
  while (!entry.empty()) {
    std::string_view value = trimmed(take_until(entry, ";"));
    const std::string_view name = trimmed(take_until(value, "="));
    if (name == "as") media.as = value;
    if (name == "g") media.group = value;
    if (name == "v") media.version = value;
    if (name == "drop") media.drop_managed_fields = drops_managed_fields(value);
  }
  return is_known(media) ? std::optional(std::move(media)) : std::nullopt;
}

}  // namespace

std::optional<MediaType> choose_media_type(std::string_view accept) {
  if (trimmed(accept).empty()) return MediaType{};
  while (!accept.empty()) {
    if (auto media = parse_entry(trimmed(take_until(accept, ",")))) return media;
  }
  return std::nullopt;
}

std::string bare_media_type(std::string_view content_type) {
  return std::string(trimmed(take_until(content_type, ";")));
}

}  // namespace kinf::sandbox
