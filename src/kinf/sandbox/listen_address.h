// SPDX-License-Identifier: Apache-2.0
// HostPort: an address from the command line, such as `127.0.0.1:8080` or `[::1]:6443`.
#pragma once

#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf::sandbox {

struct HostPort {
  std::string host;  ///< without the brackets of an IPv6 address
  int port = 0;
};

/// Parses HOST:PORT. The port is required. Fails with a usage error that quotes `text`.
Result<HostPort> parse_host_port(std::string_view text);
/// Parses an address to listen on: a numeric IPv4 address, or `localhost`, which becomes 127.0.0.1.
/// Fails with a usage error if it is neither, or if it is outside 127.0.0.0/8 and `listen_any` is
/// false.
Result<HostPort> parse_listen(std::string_view text, bool listen_any);

}  // namespace kinf::sandbox
