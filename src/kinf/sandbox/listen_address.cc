// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/listen_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include "kinf/base/ascii.h"
#include "kinf/base/url.h"

namespace kinf::sandbox {

Result<HostPort> parse_host_port(std::string_view text) {
  const auto parts = split_host_port(text);
  const int port = parts ? parse_number<int>(parts->port).value_or(-1) : -1;
  if (port < 0 || port > 65535 || parts->host.empty()) {
    return fail(ErrorKind::usage, fmt::format("\"{}\" is not an address: HOST:PORT", text));
  }
  return HostPort{std::string(parts->host), port};
}

Result<HostPort> parse_listen(std::string_view text, bool listen_any) {
  Result<HostPort> address = parse_host_port(text);
  if (!address) return address;
  if (address->host == "localhost") address->host = "127.0.0.1";
  if (!listen_any && !address->host.starts_with("127.")) {
    return fail(
        ErrorKind::usage,
        fmt::format("{} is not a loopback address; --listen-any allows others", address->host));
  }
  in_addr bytes{};
  if (::inet_pton(AF_INET, address->host.c_str(), &bytes) != 1) {
    return fail(ErrorKind::usage, fmt::format("{} is not an IPv4 address", address->host));
  }
  return address;
}

}  // namespace kinf::sandbox
