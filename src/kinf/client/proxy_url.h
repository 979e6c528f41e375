// SPDX-License-Identifier: Apache-2.0
// The proxy-url of a kubeconfig or --proxy-url, checked as client-go checks it.
#pragma once

#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

/// http, https and socks5 are allowed. Errors (usage): `could not parse: …`, `unsupported scheme
/// …`.
Result<> check_proxy_url(std::string_view text);

}  // namespace kinf
