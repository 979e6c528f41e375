// SPDX-License-Identifier: Apache-2.0
// Chooses the proxy for an API server: the kubeconfig's proxy-url, or else what the environment
// says. libcurl's own reading of the environment is switched off, because it knows no CIDR blocks,
// and only cli reads environment variables. All functions are pure and may be called from any
// thread.
#pragma once

#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/base/url.h"

namespace kinf {

/// The values of HTTPS_PROXY, HTTP_PROXY and NO_PROXY (or of their lower-case names), read in cli.
struct ProxyEnvironment {
  std::string https_proxy;
  std::string http_proxy;
  std::string no_proxy;
};

/// Checks the proxy-url of a kubeconfig or a flag as client-go does. Allows http, https and socks5.
/// Errors: usage, `could not parse: …` or `unsupported scheme …`.
Result<> check_proxy_url(std::string_view text);

/// Returns the URL of the proxy for `server`, as libcurl expects it; empty: connect directly.
/// `proxy_url` comes from the kubeconfig and always wins. Errors: usage, for a scheme other than
/// http, https, socks5 and socks5h.
Result<std::string> choose_proxy(const Url& server, const std::string& proxy_url,
                                 const ProxyEnvironment& environment);

/// Whether NO_PROXY excludes `server`, as Go reads it: `*`, names including their subdomains,
/// `.name` for subdomains only, addresses, CIDR blocks, each with an optional port. Loopback
/// addresses are always excluded.
bool bypasses_proxy(const Url& server, const std::string& no_proxy);

}  // namespace kinf
