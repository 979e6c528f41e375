// SPDX-License-Identifier: Apache-2.0
// Decides whether a request may come from a web page of another site. Browsers on the same machine
// can reach the sandbox, so it must not trust every request.
#pragma once

#include <optional>

#include "kinf/sandbox/http/request_head.h"

namespace kinf::sandbox {

/// Refuses a request whose Host header is a name other than localhost and this machine's name, like
/// `kubectl proxy`: a page can make such a name point to this machine (DNS rebinding). IP addresses
/// are accepted, because no page can choose what they point to. `any_host` accepts all names.
/// Refuses a request with an Origin header other than the server's own.
std::optional<RequestError> check_origin(const RequestHead& head, bool any_host);

}  // namespace kinf::sandbox
