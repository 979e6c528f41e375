// SPDX-License-Identifier: Apache-2.0
// Decides whether a request may come from a web page of another site. Browsers on the same machine
// can reach the sandbox, so it must not trust every request.
#pragma once

#include <cstdint>
#include <optional>

#include "kinf/sandbox/http/request_head.h"

namespace kinf::sandbox {

/// The host names that requests may have in addition to localhost and this machine's name.
enum class HostNames : std::uint8_t {
  own,    ///< none
  local,  ///< those that are not in the public DNS: without a dot, or below .local, .internal, …
  any,    ///< all: only for a server that pages of other sites cannot use, see Sandbox
};

/// Refuses a request whose Host header is a name other than localhost and this machine's name, like
/// `kubectl proxy`: a page can make such a name point to this machine (DNS rebinding). IP addresses
/// are accepted, because no page can choose what they point to. `accepted` adds names to these.
/// Refuses a request with an Origin header other than the server's own.
std::optional<RequestError> check_origin(const RequestHead& head, HostNames accepted);

}  // namespace kinf::sandbox
