// SPDX-License-Identifier: Apache-2.0
// Chooses the proxy for an API server: the kubeconfig's proxy-url, or else the environment's.
// libcurl does not read the environment itself, because older versions do not support CIDR blocks
// in NO_PROXY, and because only kinf/cli reads environment variables. Pure functions.
// Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/base/url.h"

namespace kinf {

/// The values of HTTPS_PROXY, HTTP_PROXY and NO_PROXY (or of their lower-case names). Read in
/// kinf/cli.
struct ProxyEnvironment {
  std::string https_proxy;
  std::string http_proxy;
  std::string no_proxy;
};

/// Returns whether `host` is localhost, an address in 127.0.0.0/8, or ::1.
bool is_loopback(std::string_view host);

/// Checks the proxy-url of a kubeconfig or flag, as client-go does. Allows http, https and socks5.
/// Errors: usage, with the message `could not parse: …` or `unsupported scheme …`.
Result<> check_proxy_url(std::string_view text);

/// Returns the URL of the proxy for `server` in libcurl's form; empty for a direct connection.
/// `proxy_url`, from the kubeconfig or a flag, takes precedence over the environment. Errors:
/// usage, for a scheme other than http, https, socks5 and socks5h.
Result<std::string> choose_proxy(const Url& server, const std::string& proxy_url,
                                 const ProxyEnvironment& environment);

/// Returns whether `no_proxy` excludes `server`. Follows Go's rules: `*`, names including their
/// subdomains, `.name` for subdomains only, IP addresses, and CIDR blocks, each with an optional
/// port. Loopback addresses are always excluded.
bool bypasses_proxy(const Url& server, const std::string& no_proxy);

}  // namespace kinf
