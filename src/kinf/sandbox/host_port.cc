// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/host_port.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <charconv>

#include "kinf/base/url.h"

namespace kinf::sandbox {

std::string HostPort::text() const { return join_host_port(host, std::to_string(port)); }

Result<HostPort> parse_host_port(std::string_view text) {
  const auto parts = split_host_port(text);
  HostPort address;
  if (parts) address.host = parts->host;
  const std::string_view port = parts ? parts->port : "";
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (address.host.empty() || error != std::errc() || end != port.data() + port.size() ||
      address.port < 0 || address.port > 65535) {
    return fail(ErrorKind::usage, fmt::format("\"{}\" is not an address: HOST:PORT", text));
  }
  return address;
}

Result<HostPort> parse_listen(std::string_view text, bool listen_any) {
  Result<HostPort> address = parse_host_port(text);
  if (!address) return address;
  if (address->host == "localhost") address->host = "127.0.0.1";
  if (!listen_any && !address->host.starts_with("127.")) {
    return fail(ErrorKind::usage,
                fmt::format("{} is not loopback: --listen-any lets others in", address->host));
  }
  in_addr bytes{};
  if (::inet_pton(AF_INET, address->host.c_str(), &bytes) != 1) {
    return fail(ErrorKind::usage, fmt::format("{} is no IPv4 address", address->host));
  }
  return address;
}

}  // namespace kinf::sandbox
