// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/request_conversion.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace kinf::sandbox {
namespace {

/// If a parameter occurs twice, the first value is used, as in Go. Parameters with malformed
/// escapes are ignored.
std::map<std::string, std::string> query_of(std::string_view target) {
  std::map<std::string, std::string> query;
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return query;
  std::string_view left = target.substr(mark + 1);
  while (!left.empty()) {
    const std::string_view part = left.substr(0, left.find('&'));
    left.remove_prefix(std::min(part.size() + 1, left.size()));
    const auto name = percent_decoded(part.substr(0, part.find('=')), true);
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto value = percent_decoded(part.substr(std::min(equals + 1, part.size())), true);
    if (name && value && !name->empty()) query.try_emplace(*name, *value);
  }
  return query;
}

}  // namespace

std::expected<HttpRequest, RequestError> to_http_request(const RequestHead& head,
                                                         std::string body) {
  const std::string_view target = head.target;
  std::optional<std::string> path = percent_decoded(target.substr(0, target.find('?')), false);
  if (!path) return std::unexpected(RequestError{400, "malformed request target"});
  HttpRequest to;
  to.method = head.method == "HEAD" ? "GET" : head.method;
  to.path = *std::move(path);
  to.query = query_of(target);
  to.accept = head.value("Accept");
  to.accept_encoding = head.value("Accept-Encoding");
  to.content_type = head.value("Content-Type");
  to.authorization = head.value("Authorization");
  to.user_agent = head.value("User-Agent");
  to.if_none_match = head.value("If-None-Match");
  to.body = std::move(body);
  return to;
}

}  // namespace kinf::sandbox
