// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/http_responses.h"

#include "kinf/sandbox/api/media_type.h"
#include "kinf/sandbox/api/protobuf_object.h"

namespace kinf::sandbox {

HttpResponse json_response(int code, const Json& json) {
  HttpResponse response;
  response.code = code;
  response.body = to_text(json);
  return response;
}

HttpResponse text_response(int code, std::string body) {
  HttpResponse response;
  response.code = code;
  response.content_type = "text/plain; charset=utf-8";
  response.body = std::move(body);
  return response;
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
  if (details.is_null()) {
    status["code"] = code;
  } else {
    status["details"] = std::move(details);
  }
  return json_response(code, status);
}

FieldManager manager_of(const HttpRequest& request, const std::string& subresource) {
  constexpr std::size_t kMostBytes = 128;
  std::string name = request.parameter("fieldManager");
  if (name.empty()) name = request.user_agent.substr(0, request.user_agent.find('/'));
  return {name.substr(0, kMostBytes), "Update", subresource};
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

}  // namespace kinf::sandbox
