// SPDX-License-Identifier: Apache-2.0
// ServerUrl: where an API server listens, in parts. For everything that builds request URLs,
// names the server in a message or chooses a proxy.
#pragma once

#include <string>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

struct ServerUrl {
  bool tls = true;
  std::string host;    ///< without brackets, also for IPv6
  std::string port;    ///< decimal; empty: the scheme's own
  std::string prefix;  ///< path before every request path: empty or `/k8s/clusters/c-1`

  /// `https://10.0.0.1:6443`: what people read, and the start of every URL.
  std::string origin() const;
  /// `10.0.0.1:6443`, with brackets where IPv6 needs them.
  std::string authority() const;
  /// The port as a number, the scheme's own if none was given.
  int effective_port() const;

  friend bool operator==(const ServerUrl&, const ServerUrl&) = default;
};

/// Takes `scheme://host[:port][/prefix]`, as server_url(ClientConfig) completes it. A user name in
/// it is dropped, so that no message can show a password. A usage error for anything else.
Result<ServerUrl> parse_server_url(std::string_view text);

}  // namespace kinf
