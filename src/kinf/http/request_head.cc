// SPDX-License-Identifier: Apache-2.0
#include "kinf/http/request_head.h"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "kinf/base/ascii.h"
#include "kinf/base/url.h"

namespace kinf {
namespace {

bool contains_token(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    if (equals_ignoring_case(trimmed(take_until(list, ",")), token)) return true;
  }
  return false;
}

/// Checks the fields that determine the length of the body (RFC 9112 section 6). Beast has already
/// refused requests with both Transfer-Encoding and Content-Length, and lengths that are not
/// numbers.
std::optional<RequestError> check_body(RequestHead& head) {
  const std::size_t lengths = head.count("Content-Length");
  const std::size_t codings = head.count("Transfer-Encoding");
  if (lengths > 1) return RequestError{400, "more than one Content-Length"};
  if (codings > 1) return RequestError{400, "more than one Transfer-Encoding"};
  if (codings == 1) {
    if (head.minor_version == 0) return RequestError{400, "Transfer-Encoding with HTTP/1.0"};
    if (!equals_ignoring_case(head.value("Transfer-Encoding"), "chunked")) {
      return RequestError{501, "unsupported Transfer-Encoding"};
    }
    head.is_chunked = true;
  }
  const std::string_view length = head.value("Content-Length");
  if (length.find_first_not_of("0123456789") != std::string_view::npos) {
    return RequestError{400, "malformed Content-Length"};  // Beast accepts `3, 3`
  }
  const bool has_body = head.is_chunked || length.find_first_not_of('0') != std::string_view::npos;
  if (has_body && (head.method == "GET" || head.method == "HEAD")) {
    return RequestError{400, "a body in a request that has none"};
  }
  const std::string_view coding = head.value("Content-Encoding");
  if (has_body && !coding.empty() && !equals_ignoring_case(coding, "identity")) {
    return RequestError{415, "compressed request bodies are not supported"};
  }
  return std::nullopt;
}

bool is_ip_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> address;
  return ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

bool is_this_machine(std::string_view host) {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 &&
         equals_ignoring_case(host, name.data());
}

/// Returns whether `host` is a name that cannot be registered in the public DNS.
bool is_local_name(std::string_view host) {
  constexpr std::array kLocal = {"internal", "local", "localhost", "svc"};
  const std::size_t dot = host.rfind('.');
  return dot == std::string_view::npos || std::ranges::any_of(kLocal, [&](const char* each) {
           return equals_ignoring_case(host.substr(dot + 1), each);
         });
}

bool is_accepted_host(std::string_view authority, HostNames accepted) {
  if (accepted == HostNames::any) return true;
  const auto parts = split_host_port(authority);
  if (!parts || parts->host.empty()) return false;
  return equals_ignoring_case(parts->host, "localhost") ||
         is_ip_address(std::string(parts->host)) || is_this_machine(parts->host) ||
         (accepted == HostNames::local && is_local_name(parts->host));
}

bool is_own_origin(std::string_view origin, std::string_view host) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme) && equals_ignoring_case(origin.substr(scheme.size()), host)) {
      return true;
    }
  }
  return false;
}

/// Returns the query parameters in a request target. If a parameter occurs twice, the first value
/// is used, as in Go. Parameters with malformed escapes are ignored.
std::map<std::string, std::string> query_of(std::string_view target) {
  std::map<std::string, std::string> query;
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return query;
  std::string_view left = target.substr(mark + 1);
  while (!left.empty()) {
    std::string_view part = take_until(left, "&");
    const auto name = percent_decoded(take_until(part, "="), true);
    const auto value = percent_decoded(part, true);
    if (name && value && !name->empty()) query.try_emplace(*name, *value);
  }
  return query;
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

std::string_view RequestHead::value(std::string_view name) const {
  const auto found = std::ranges::find_if(
      fields, [&](const auto& field) { return equals_ignoring_case(field.first, name); });
  return found == fields.end() ? std::string_view() : std::string_view(found->second);
}

std::size_t RequestHead::count(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      fields, [&](const auto& field) { return equals_ignoring_case(field.first, name); }));
}

std::optional<RequestError> check_head(RequestHead& head) {
  if (!head.target.starts_with('/')) return RequestError{400, "malformed request target"};
  const std::size_t hosts = head.count("Host");
  if (hosts > 1) return RequestError{400, "more than one Host"};
  if (hosts == 0 && head.minor_version == 1) return RequestError{400, "missing Host header"};
  if (head.count("Expect") > 0) {
    if (!equals_ignoring_case(head.value("Expect"), "100-continue")) {
      return RequestError{417, "unsupported expectation"};
    }
    head.expects_continue = head.minor_version == 1;
  }
  for (const auto& [name, value] : head.fields) {
    if (!equals_ignoring_case(name, "Connection")) continue;
    head.closes = head.closes || contains_token(value, "close");
  }
  if (head.minor_version == 0) {
    head.closes = head.closes || !contains_token(head.value("Connection"), "keep-alive");
  }
  return check_body(head);
}

std::optional<RequestError> check_origin(const RequestHead& head, HostNames accepted) {
  const std::string_view host = head.value("Host");
  // Browsers always send a Host header. Only HTTP/1.0 clients may omit it.
  if (head.count("Host") > 0 && !is_accepted_host(host, accepted)) {
    return RequestError{403, accepted == HostNames::local
                                 ? "the Host header names another server; use --tls for this name"
                                 : "the Host header names another server"};
  }
  const bool is_foreign = std::ranges::any_of(head.fields, [&](const auto& field) {
    return equals_ignoring_case(field.first, "Origin") && !is_own_origin(field.second, host);
  });
  if (is_foreign) return RequestError{403, "the request comes from a page of another site"};
  return std::nullopt;
}

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
  to.content_type = head.value("Content-Type");
  to.authorization = head.value("Authorization");
  to.user_agent = head.value("User-Agent");
  to.if_none_match = head.value("If-None-Match");
  to.body = std::move(body);
  return to;
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      result += text[at] == '+' && plus_is_space ? ' ' : text[at];
      continue;
    }
    if (at + 2 >= text.size()) return std::nullopt;
    const int high = hex_value(text[at + 1]);
    const int low = hex_value(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    result += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return result;
}

}  // namespace kinf
