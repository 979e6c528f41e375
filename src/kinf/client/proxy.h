// SPDX-License-Identifier: Apache-2.0
// Which proxy, if any, stands between us and an API server: proxy-url of the kubeconfig, else what
// the environment says. libcurl's own reading of the environment is switched off: it knows no
// CIDR blocks and would read variables behind the back of cli.
#pragma once

#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/base/url.h"

namespace kinf {

/// The values of HTTPS_PROXY, HTTP_PROXY and NO_PROXY (or their lower-case names), read in cli.
struct ProxyEnvironment {
  std::string https_proxy;
  std::string http_proxy;
  std::string no_proxy;
};

/// Checks a proxy-url of a kubeconfig or a flag as client-go does: http, https and socks5 are
/// allowed. Errors (usage): `could not parse: …`, `unsupported scheme …`.
Result<> check_proxy_url(std::string_view text);

/// The URL of the proxy for `server`, as libcurl takes it; empty: connect directly. `proxy_url`
/// comes from the kubeconfig and wins without exception. A usage error for a scheme other than
/// http, https, socks5, socks5h.
Result<std::string> choose_proxy(const Url& server, const std::string& proxy_url,
                                 const ProxyEnvironment& environment);

/// NO_PROXY as Go reads it: `*`, names with their subdomains, `.name` for subdomains only,
/// addresses, CIDR blocks, each with an optional port. Loopback never needs a proxy.
bool bypasses_proxy(const Url& server, const std::string& no_proxy);

}  // namespace kinf
