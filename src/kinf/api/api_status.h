// SPDX-License-Identifier: Apache-2.0
// ApiStatus: an API server's description of a failure (meta/v1 Status), and its conversion to an
// Error. Pure functions.
// Threads: any.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace [[gnu::visibility("default")]] kinf {

/// The fields of a Status that kinf uses.
struct ApiStatus {
  struct Cause {
    std::string reason;
    std::string message;
    std::string field;
  };

  int code = 0;
  std::string reason;  ///< `Expired`, `Forbidden`, …; empty if the server sent none
  std::string message;
  std::string details_group;
  std::string details_kind;
  std::string details_name;
  std::vector<Cause> causes;
  std::optional<std::chrono::seconds> retry_after;
  /// Set in the 410 response to a list page: a token that continues the list from a newer state,
  /// which makes the list inconsistent.
  std::string continue_token;
};

/// Parses a Status document. Accepts a missing apiVersion, as client-go does. Errors: protocol, if
/// `json` is not a JSON object of kind Status, or if it reports success.
Result<ApiStatus> parse_api_status(std::string_view json);

/// Makes a Status for an HTTP response that contains none. The HTTP status code determines the
/// reason and the message, as in client-go's NewGenericServerResponse. Uses the first 2 KiB of
/// `body`.
ApiStatus generic_api_status(int code, std::string_view verb, std::string_view resource,
                             std::string_view name, std::string_view body);

/// Converts `status` to an Error that contains it. A known reason determines the error kind;
/// without one, the HTTP status code does.
Error to_error(ApiStatus status);

/// Returns whether the reason is Expired or Gone, or the code is 410 and the reason is missing
/// or unknown.
inline bool is_expired(const Error& error) { return error.kind == ErrorKind::expired; }
/// Returns whether the server has not reached the requested resourceVersion. Recognizes all three
/// forms of this error that servers send (kubernetes#94316, #107133).
inline bool is_too_large_resource_version(const Error& error) {
  return error.kind == ErrorKind::too_large_version;
}
/// Returns whether the server rejected the request because it receives too many requests (429, by
/// reason or code).
inline bool is_throttled(const Error& error) { return error.kind == ErrorKind::throttled; }

}  // namespace kinf
