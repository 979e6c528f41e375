// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/listen_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include "kinf/base/parse_number.h"
#include "kinf/base/url.h"

namespace kinf::sandbox {

Result<HostPort> parse_host_port(std::string_view text) {
  const auto parts = split_host_port(text);
  HostPort address;
  if (parts) address.host = parts->host;
  address.port = parse_number<int>(parts ? parts->port : "").value_or(-1);
  if (address.host.empty() || address.port < 0 || address.port > 65535) {
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
