// SPDX-License-Identifier: Apache-2.0
// HostPort: an address from a command line: `127.0.0.1:8080`, `[::1]:6443`.
#pragma once

#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf::sandbox {

struct HostPort {
  std::string host;  ///< without brackets
  int port = 0;
};

/// Reads HOST:PORT. The port is required. A usage error names the text.
Result<HostPort> parse_host_port(std::string_view text);
/// Reads an address to listen on: numeric IPv4, or `localhost`, which becomes 127.0.0.1. Unless
/// `listen_any`, it must be in 127.0.0.0/8. A usage error says what is wrong.
Result<HostPort> parse_listen(std::string_view text, bool listen_any);

}  // namespace kinf::sandbox
