// SPDX-License-Identifier: Apache-2.0
// RequestHead: the request line and header fields of an HTTP/1.x request, parsed strictly (RFC
// 9112). Whatever two servers could read differently is an error, so that no request hides in
// another.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinf::sandbox {

/// Why a request is refused. The connection is closed after the response.
struct RequestError {
  int code = 400;  ///< HTTP status
  std::string reason;
};

inline std::unexpected<RequestError> refuse(int code, const char* reason) {
  return std::unexpected(RequestError{code, reason});
}

struct RequestHead {
  std::string method;
  std::string target;  ///< begins with `/`
  int minor_version = 1;
  std::vector<std::pair<std::string, std::string>> fields;

  std::size_t body_size = 0;  ///< if not `is_chunked`
  bool is_chunked = false;
  bool expects_continue = false;  ///< the client waits for `100 Continue` before it sends the body
  bool closes = false;  ///< the client wants the connection to be closed after the response

  /// Returns the first value of a field, or an empty string. `name` in any case.
  std::string_view value(std::string_view name) const;
  std::size_t count(std::string_view name) const;
};

/// Parses the head of a request: all its lines, each with its CRLF, without the empty line.
std::expected<RequestHead, RequestError> parse_request_head(std::string_view text);

/// Decodes `%2F`, and `+` if `plus_is_space`. Returns nullopt if an escape is malformed.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space);

}  // namespace kinf::sandbox
