// SPDX-License-Identifier: Apache-2.0
// RequestHead: the request line and header fields of an HTTP/1.x request, and what they say about
// the request. RequestReader parses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/http/http_message.h"

namespace kinf {

/// Why a request is refused. The connection is closed after the response.
struct RequestError {
  int code = 400;  ///< HTTP status
  std::string reason;
};

struct RequestHead {
  std::string method;
  std::string target;  ///< begins with `/`
  int minor_version = 1;
  std::vector<std::pair<std::string, std::string>> fields;

  // Set by check_head().
  bool is_chunked = false;
  bool expects_continue = false;  ///< the client waits for `100 Continue` before it sends the body
  bool closes = false;  ///< the client wants the connection to be closed after the response

  /// Returns the first value of a field, or an empty string. `name` in any case.
  std::string_view value(std::string_view name) const;
  std::size_t count(std::string_view name) const;
};

/// Returns why a parsed head is refused. Otherwise returns nullopt, and sets the members that
/// follow from the fields. Refuses heads that Beast accepts but that two servers could read
/// differently (RFC 9112), so that no request hides in another. Also refuses what this server does
/// not support.
std::optional<RequestError> check_head(RequestHead& head);

/// The host names that requests may have in addition to localhost and this machine's name.
enum class HostNames : std::uint8_t {
  own,    ///< none
  local,  ///< those that are not in the public DNS: without a dot, or below .local, .internal, …
  any,    ///< all: only for a server that pages of other sites cannot use
};

/// Refuses a request whose Host header is a name other than localhost and this machine's name, like
/// `kubectl proxy`: a page can make such a name point to this machine (DNS rebinding). IP addresses
/// are accepted, because no page can choose what they point to. `accepted` adds names to these.
/// Refuses a request with an Origin header other than the server's own.
std::optional<RequestError> check_origin(const RequestHead& head, HostNames accepted);

/// Returns the request for the handler with its path and query decoded, or why it is refused.
std::expected<HttpRequest, RequestError> to_http_request(const RequestHead& head, std::string body);

/// Decodes `%2F`, and `+` if `plus_is_space`. Returns nullopt if an escape is malformed.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space);

}  // namespace kinf
