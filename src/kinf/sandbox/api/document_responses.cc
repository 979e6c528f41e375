// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/document_responses.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "kinf/sandbox/api/discovery_documents.h"
#include "kinf/sandbox/api/http_responses.h"
#include "kinf/sandbox/api/media_type.h"
#include "kinf/sandbox/api/resource_path.h"

namespace kinf::sandbox {
namespace {

/// Returns a document with an ETag, or 304 if the client already has it.
HttpResponse tagged_response(const HttpRequest& request, const Json& document,
                             std::string content_type) {
  HttpResponse response = json_response(200, document);
  const std::string tag = fmt::format("\"{:016X}\"", std::hash<std::string>()(response.body));
  response.headers.emplace_back("Etag", tag);
  response.headers.emplace_back("Vary", "Accept");
  if (request.if_none_match == tag) {
    response.code = 304;
    response.body.clear();
    return response;
  }
  response.content_type = std::move(content_type);
  return response;
}

bool wants_aggregated(const HttpRequest& request) {
  const auto media = choose_media_type(request.accept);
  return media && media->as == "APIGroupDiscoveryList";
}

/// An access review: its path after /apis/, its kind and its status.
struct Review {
  std::string_view path;
  const char* kind;
  Json status;
};

/// The user is always `sandbox` and may do everything, except change objects that are read-only.
const std::vector<Review>& reviews() {
  static const Json all = Json::array({"*"});
  static const Json yes = {{"allowed", true}, {"reason", "the sandbox allows everything"}};
  static const std::vector<Review> known = {
      {"authorization.k8s.io/v1/selfsubjectaccessreviews", "SelfSubjectAccessReview", yes},
      {"authorization.k8s.io/v1/subjectaccessreviews", "SubjectAccessReview", yes},
      {"authorization.k8s.io/v1/selfsubjectrulesreviews",
       "SelfSubjectRulesReview",
       {{"resourceRules", Json::array({{{"verbs", all}, {"apiGroups", all}, {"resources", all}}})},
        {"nonResourceRules", Json::array({{{"verbs", all}, {"nonResourceURLs", all}}})},
        {"incomplete", false}}},
      {"authentication.k8s.io/v1/selfsubjectreviews",
       "SelfSubjectReview",
       {{"userInfo",
         {{"username", "sandbox"}, {"groups", {"system:masters", "system:authenticated"}}}}}}};
  return known;
}

/// Changes the answer to a review for a server whose objects are read-only.
void restrict_to_reading(const Json& asked, Json& status) {
  const Json read = {"get", "list", "watch"};
  const auto restrict = [&](const char* rules) {
    if (status.contains(rules)) status[rules][0]["verbs"] = read;
  };
  restrict("resourceRules");
  restrict("nonResourceRules");
  const Json& attributes = field(asked, "spec", "resourceAttributes");
  if (!status.contains("allowed") || attributes.is_null()) return;
  if (std::ranges::find(read, field(attributes, "verb")) != read.end()) return;
  status = {{"allowed", false}, {"reason", "this server shows a recording, which is read-only"}};
}

/// Answers an access review.
std::optional<HttpResponse> review_response(const ApiTypes& types, const HttpRequest& request) {
  constexpr std::string_view kPrefix = "/apis/";
  if (request.method != "POST" || !request.path.starts_with(kPrefix)) return std::nullopt;
  const std::string_view path = std::string_view(request.path).substr(kPrefix.size());
  for (const Review& review : reviews()) {
    if (path != review.path) continue;
    Json answer = {{"kind", review.kind},
                   {"apiVersion", std::string(path.substr(0, path.rfind('/')))},
                   {"metadata", Json::object()}};
    const Json asked = body_object(request).value_or(Json::object());
    if (!field(asked, "spec").is_null()) answer["spec"] = field(asked, "spec");
    answer["status"] = review.status;
    if (types.is_read_only()) restrict_to_reading(asked, answer["status"]);
    return json_response(201, answer);
  }
  return std::nullopt;
}

std::optional<HttpResponse> discovery_response(const ApiTypes& types, const HttpRequest& request,
                                               const std::vector<std::string>& parts) {
  const bool core = parts[0] == "api";
  if (parts.size() == 1 && wants_aggregated(request)) {
    return tagged_response(request, aggregated_document(types, core),
                           "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  }
  if (parts.size() == 1) {
    return json_response(200, core ? api_versions_document() : group_list_document(types));
  }
  if (!core && parts.size() == 2) {
    const auto document = group_document(types, parts[1]);
    return document ? std::optional(json_response(200, *document)) : std::nullopt;
  }
  const std::string group = core ? "" : parts[1];
  if (parts.size() != (core ? 2 : 3) || !types.has_group_version(group, parts.back())) {
    return std::nullopt;
  }
  return json_response(200, resource_list_document(types, group, parts.back()));
}

}  // namespace

std::optional<HttpResponse> document_response(const ApiTypes& types, const HttpRequest& request) {
  const std::string& path = request.path;
  if (auto review = review_response(types, request)) return review;
  const std::vector<std::string> parts = split_path(path);
  if (request.method != "GET" || parts.empty()) return std::nullopt;
  if (path == "/healthz" || path == "/readyz" || path == "/livez") return text_response(200, "ok");
  if (path == "/version" || path == "/version/") return json_response(200, version_document());
  if (path == "/openapi/v3") return json_response(200, openapi_index(types));
  if (path.starts_with("/openapi/v3/api/") && parts.size() == 4) {
    return json_response(200, openapi_document(types, "", parts[3]));
  }
  if (path.starts_with("/openapi/v3/apis/") && parts.size() == 5) {
    return json_response(200, openapi_document(types, parts[3], parts[4]));
  }
  if (parts[0] == "api" || parts[0] == "apis") return discovery_response(types, request, parts);
  return std::nullopt;
}

}  // namespace kinf::sandbox
