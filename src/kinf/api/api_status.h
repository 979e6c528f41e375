// SPDX-License-Identifier: Apache-2.0
// ApiStatus: how an API server describes a failure (meta/v1 Status), and what it means for the
// caller. Pure functions, to be called from any thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// The fields of a Status that kinf uses.
struct ApiStatus {
  struct Cause {
    std::string reason;
    std::string message;
    std::string field;
  };

  int code = 0;
  std::string reason;  ///< `Expired`, `Forbidden`, …; empty if the server gave none
  std::string message;
  std::string details_group;
  std::string details_kind;
  std::string details_name;
  std::vector<Cause> causes;
  std::optional<std::chrono::seconds> retry_after;
  std::string continue_token;  ///< of a 410 on a list page: continues with an inconsistent rest
};

/// Reads a Status document; a missing apiVersion is accepted, as in client-go. Errors: protocol, if
/// `json` is not a JSON object of kind Status, or reports success.
Result<ApiStatus> parse_api_status(std::string_view json);

/// Returns a Status for an HTTP answer without one, with message and reason by code, as client-go's
/// NewGenericServerResponse. Uses the first 2 KiB of `body`.
ApiStatus generic_api_status(int code, std::string_view verb, std::string_view resource,
                             std::string_view name, std::string_view body);

/// Returns the Error for `status`, which it carries. A known reason decides its kind, else the
/// code.
Error to_error(ApiStatus status);

/// Whether the reason is Expired or Gone, or the code 410 without a known reason.
bool is_expired(const Error& error);
/// Whether the server has not reached the requested resourceVersion, in any of the three messages
/// that servers use (kubernetes#94316, #107133).
bool is_too_large_resource_version(const Error& error);
/// Whether the server has too many requests: 429, by reason or code.
bool is_throttled(const Error& error);

}  // namespace kinf
