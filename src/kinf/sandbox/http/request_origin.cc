// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/request_origin.h"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "kinf/base/ascii.h"
#include "kinf/base/url.h"

namespace kinf::sandbox {
namespace {

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

/// Returns true for a name that is not for sale in the public DNS.
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

}  // namespace

std::optional<RequestError> check_origin(const RequestHead& head, HostNames accepted) {
  const std::string_view host = head.value("Host");
  // Browsers always send a Host header; only HTTP/1.0 allows to omit it.
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

}  // namespace kinf::sandbox
