// SPDX-License-Identifier: Apache-2.0
// HostPort: an address as it stands on a command line: `127.0.0.1:8080`, `[::1]:6443`.
#pragma once

#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf::sandbox {

struct HostPort {
  std::string host;  ///< without brackets
  int port = 0;
};

/// Usage errors for what is none.
Result<HostPort> parse_host_port(std::string_view text);
/// An IPv4 address to listen on, or `localhost`, which becomes one: of this machine only,
/// 127.0.0.0/8, unless `listen_any`.
Result<HostPort> parse_listen(std::string_view text, bool listen_any);

}  // namespace kinf::sandbox
