// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/api_errors.h"

#include <fmt/format.h>

namespace kinf::sandbox {
namespace {

ApiStatus make(int code, std::string reason, std::string message,
               const GroupVersionResource& gvr = {}, std::string_view name = "") {
  ApiStatus status;
  status.code = code;
  status.reason = std::move(reason);
  status.message = std::move(message);
  status.details_group = gvr.group;
  status.details_kind = gvr.resource;
  status.details_name = name;
  return status;
}

/// Returns whether the real server includes `details` in this error. For some status codes, it
/// includes them even if they are empty.
bool has_details(const ApiStatus& status) {
  return !status.details_kind.empty() || !status.causes.empty() || status.retry_after ||
         status.code == 404 || status.code == 405 || status.code == 406 || status.code == 415 ||
         status.code == 422;
}

Json details_json(const ApiStatus& status) {
  Json details = Json::object();
  if (!status.details_name.empty()) details["name"] = status.details_name;
  if (!status.details_group.empty()) details["group"] = status.details_group;
  if (!status.details_kind.empty()) details["kind"] = status.details_kind;
  for (const ApiStatus::Cause& cause : status.causes) {
    Json one = {{"reason", cause.reason}, {"message", cause.message}};
    if (!cause.field.empty()) one["field"] = cause.field;
    details["causes"].push_back(std::move(one));
  }
  if (status.retry_after) details["retryAfterSeconds"] = status.retry_after->count();
  return details;
}

}  // namespace

Json status_json(const ApiStatus& status) {
  Json json = {{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", Json::object()}};
  if (!status.continue_token.empty()) json["metadata"]["continue"] = status.continue_token;
  json["status"] = "Failure";
  json["message"] = status.message;
  json["reason"] = status.reason;
  if (has_details(status)) json["details"] = details_json(status);
  json["code"] = status.code;
  return json;
}

ApiStatus insufficient_storage() {
  return make(507, "InsufficientStorage", "the change cannot be saved: see the log of the sandbox");
}

ApiStatus bad_request(std::string message) { return make(400, "BadRequest", std::move(message)); }

ApiStatus unauthorized() { return make(401, "Unauthorized", "Unauthorized"); }

ApiStatus no_such_resource() {
  return make(404, "NotFound", "the server could not find the requested resource");
}

ApiStatus not_found(const GroupVersionResource& gvr, std::string_view name) {
  return make(404, "NotFound", fmt::format("{} \"{}\" not found", gvr.group_resource(), name), gvr,
              name);
}

ApiStatus already_exists(const GroupVersionResource& gvr, std::string_view name) {
  return make(409, "AlreadyExists",
              fmt::format("{} \"{}\" already exists", gvr.group_resource(), name), gvr, name);
}

ApiStatus method_not_allowed() {
  return make(405, "MethodNotAllowed",
              "the server does not allow this method on the requested resource");
}

ApiStatus conflict(const GroupVersionResource& gvr, std::string_view name, std::string why) {
  return make(409, "Conflict",
              fmt::format("Operation cannot be fulfilled on {} \"{}\": {}", gvr.group_resource(),
                          name, why),
              gvr, name);
}

ApiStatus modified_meanwhile(const GroupVersionResource& gvr, std::string_view name) {
  return conflict(gvr, name,
                  "the object has been modified; please apply your changes to the latest version "
                  "and try again");
}

ApiStatus invalid(std::string_view group, std::string_view kind, std::string_view name,
                  std::vector<ApiStatus::Cause> causes) {
  std::string list;
  for (const ApiStatus::Cause& cause : causes) {
    if (!list.empty()) list += ", ";
    list += cause.field + ": " + cause.message;
  }
  if (causes.size() > 1) list = "[" + list + "]";
  const std::string dot = group.empty() ? "" : ".";
  ApiStatus status = make(422, "Invalid",
                          fmt::format("{}{}{} \"{}\" is invalid: {}", kind, dot, group, name, list),
                          {std::string(group), "", std::string(kind)}, name);
  status.causes = std::move(causes);
  return status;
}

ApiStatus unsupported_media_type(std::string_view accepted) {
  return make(415, "UnsupportedMediaType",
              fmt::format("the body of the request was in an unknown format - accepted media "
                          "types include: {}",
                          accepted));
}

ApiStatus unprocessable_patch() {
  return make(422, "Invalid", "the server rejected our request due to an error in our request");
}

ApiStatus too_large_patch(std::size_t operations, std::size_t most) {
  return make(413, "RequestEntityTooLarge",
              fmt::format("The allowed maximum operations in a JSON patch is {}, got {}", most,
                          operations));
}

ApiStatus too_large_version(std::uint64_t asked, std::uint64_t current) {
  ApiStatus status =
      make(504, "Timeout",
           fmt::format("Timeout: Too large resource version: {}, current: {}", asked, current));
  status.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
  status.retry_after = std::chrono::seconds(1);
  return status;
}

ApiStatus expired(std::string message) { return make(410, "Expired", std::move(message)); }

ApiStatus forbidden(const GroupVersionResource& gvr, std::string_view verb, std::string_view ns) {
  const std::string where =
      ns.empty() ? "at the cluster scope" : fmt::format("in the namespace \"{}\"", ns);
  return make(
      403, "Forbidden",
      fmt::format("{} is forbidden: User \"sandbox\" cannot {} resource \"{}\" in API group "
                  "\"{}\" {}",
                  gvr.group_resource(), verb, gvr.resource, gvr.group, where),
      gvr, "");
}

ApiStatus read_only(const GroupVersionResource& gvr, std::string_view name) {
  const std::string object = name.empty() ? "" : fmt::format(" \"{}\"", name);
  return make(403, "Forbidden",
              fmt::format("{}{} is forbidden: this server shows a recording, which is read-only",
                          gvr.group_resource(), object),
              gvr, name);
}

ApiStatus namespace_terminating(const GroupVersionResource& gvr, std::string_view name,
                                std::string_view ns) {
  ApiStatus status = make(
      403, "Forbidden",
      fmt::format("{} \"{}\" is forbidden: unable to create new content in namespace {} because "
                  "it is being terminated",
                  gvr.group_resource(), name, ns),
      gvr, name);
  status.causes = {{"NamespaceTerminating", fmt::format("namespace {} is being terminated", ns),
                    "metadata.namespace"}};
  return status;
}

ApiStatus not_acceptable() {
  return make(406, "NotAcceptable",
              "406: Not Acceptable\n\nAvailable representations: application/json, "
              "application/json;stream=watch");
}

ApiStatus too_many_requests(std::chrono::seconds retry_after) {
  ApiStatus status = make(429, "TooManyRequests", "storage is (re)initializing");
  status.retry_after = retry_after;
  return status;
}

ApiStatus server_error(int code) {
  if (code == 400) return bad_request("the sandbox injected this error");
  if (code == 401) return unauthorized();
  if (code == 403) return make(code, "Forbidden", "forbidden: the sandbox injected this error");
  if (code == 404) return no_such_resource();
  if (code == 410) return expired("The resourceVersion for the provided list is too old.");
  if (code == 429) return make(code, "TooManyRequests", "the sandbox injected this error");
  if (code == 503) {
    return make(code, "ServiceUnavailable", "the server is currently unable to handle the request");
  }
  if (code == 504) {
    return make(code, "Timeout", "Timeout: request did not complete within the allotted timeout");
  }
  return make(code, "InternalError", "Internal error occurred: the sandbox injected this error");
}

}  // namespace kinf::sandbox
