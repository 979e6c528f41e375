// SPDX-License-Identifier: Apache-2.0
// The paths that are not about objects: health, version, discovery, OpenAPI, and reviews of rights
// (of which everybody has all).
#include <fmt/format.h>

#include <functional>
#include <vector>

#include "kinf/sandbox/discovery_documents.h"
#include "kinf/sandbox/media_type.h"
#include "kinf/sandbox/router.h"

namespace kinf::sandbox {
namespace {

HttpAnswer plain_answer(std::string body) {
  HttpAnswer answer;
  answer.content_type = "text/plain; charset=utf-8";
  answer.body = std::move(body);
  return answer;
}

/// A document with an ETag, which a client may have already.
HttpAnswer tagged_answer(const HttpRequest& request, const Json& document,
                         std::string content_type) {
  HttpAnswer answer = json_answer(200, document);
  const std::string tag = fmt::format("\"{:016X}\"", std::hash<std::string>()(answer.body));
  answer.headers.emplace_back("Etag", tag);
  answer.headers.emplace_back("Vary", "Accept");
  if (request.if_none_match == tag) {
    answer.code = 304;
    answer.body.clear();
    return answer;
  }
  answer.content_type = std::move(content_type);
  return answer;
}

bool wants_aggregated(const HttpRequest& request) {
  const auto media = choose_media_type(request.accept);
  return media && media->as == "APIGroupDiscoveryList";
}

/// The reviews that a client may ask for, by the last part of their path.
struct Review {
  std::string_view path;
  const char* kind;
  Json status;
};

/// Everybody may do everything, and is called sandbox.
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

/// What is asked does not matter, in whichever form it comes.
std::optional<HttpAnswer> review_answer(const HttpRequest& request) {
  constexpr std::string_view kPrefix = "/apis/";
  if (request.method != "POST" || !request.path.starts_with(kPrefix)) return std::nullopt;
  const std::string_view path = std::string_view(request.path).substr(kPrefix.size());
  for (const Review& review : reviews()) {
    if (path != review.path) continue;
    Json answer = {{"kind", review.kind},
                   {"apiVersion", std::string(path.substr(0, path.rfind('/')))},
                   {"metadata", Json::object()}};
    const Json asked = parse_json(request.body).value_or(Json::object());
    if (!field(asked, "spec").is_null()) answer["spec"] = field(asked, "spec");
    answer["status"] = review.status;
    return json_answer(201, answer);
  }
  return std::nullopt;
}

}  // namespace

std::optional<HttpAnswer> Router::handle_document(const HttpRequest& request) {
  const std::string& path = request.path;
  if (auto review = review_answer(request)) return review;
  if (request.method != "GET") return std::nullopt;
  if (path == "/healthz" || path == "/readyz" || path == "/livez") return plain_answer("ok");
  if (path == "/version" || path == "/version/") return json_answer(200, version_document());
  if (path == "/openapi/v3") return json_answer(200, openapi_index(types_));
  const std::vector<std::string> parts = split_path(path);
  if (path.starts_with("/openapi/v3/api/") && parts.size() == 4) {
    return json_answer(200, openapi_document(types_, "", parts[3]));
  }
  if (path.starts_with("/openapi/v3/apis/") && parts.size() == 5) {
    return json_answer(200, openapi_document(types_, parts[3], parts[4]));
  }
  return std::nullopt;
}

std::optional<HttpAnswer> Router::handle_discovery(const HttpRequest& request) {
  const std::vector<std::string> parts = split_path(request.path);
  if (request.method != "GET" || parts.empty() || parts.size() > 3) return std::nullopt;
  const bool core = parts[0] == "api";
  if (!core && parts[0] != "apis") return std::nullopt;
  if (parts.size() == 1) {
    if (wants_aggregated(request)) {
      return tagged_answer(request, aggregated_document(types_, core),
                           "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
    }
    return json_answer(200, core ? api_versions_document() : group_list_document(types_));
  }
  if (core && parts.size() == 2 && types_.has_group_version("", parts[1])) {
    return json_answer(200, resource_list_document(types_, "", parts[1]));
  }
  if (core) return std::nullopt;
  if (parts.size() == 2) {
    if (const auto document = group_document(types_, parts[1])) return json_answer(200, *document);
    return std::nullopt;
  }
  if (!types_.has_group_version(parts[1], parts[2])) return std::nullopt;
  return json_answer(200, resource_list_document(types_, parts[1], parts[2]));
}

}  // namespace kinf::sandbox
