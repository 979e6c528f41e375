// SPDX-License-Identifier: Apache-2.0
// RequestHead: the request line and header fields of an HTTP/1.x request, and the properties that
// follow from them. RequestReader parses the head.
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

  /// Returns the first value of the field `name`, ignoring case, or an empty string.
  std::string_view value(std::string_view name) const;
  std::size_t count(std::string_view name) const;
};

/// Returns why a parsed head is refused. Otherwise returns nullopt, and sets `is_chunked`,
/// `expects_continue` and `closes`. Refuses heads that Beast accepts but that two servers could
/// read differently (RFC 9112), so that no request can be smuggled in another one. Also refuses
/// what this server does not support.
std::optional<RequestError> check_head(RequestHead& head);

/// The host names that requests may have in addition to localhost and this machine's name.
enum class HostNames : std::uint8_t {
  own,    ///< none
  local,  ///< names that are not in the public DNS: without a dot, or below .local, .internal, …
  any,    ///< all names: only for a server that pages of other sites cannot use
};

/// Returns why a request is refused, or nullopt. Like `kubectl proxy`, refuses a Host header with a
/// name other than localhost and this machine's name, because a web page can make its own name
/// point to this machine (DNS rebinding). Accepts IP addresses, because a page cannot choose where
/// they point. `accepted` allows further names. Refuses an Origin header other than the server's
/// own.
std::optional<RequestError> check_origin(const RequestHead& head, HostNames accepted);

/// Returns the request for the handler with its path and query decoded, or why it is refused.
std::expected<HttpRequest, RequestError> to_http_request(const RequestHead& head, std::string body);

/// Decodes percent-escapes such as `%2F`, and decodes `+` to a space if `plus_is_space`. Returns
/// nullopt if an escape is malformed.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space);

}  // namespace kinf
