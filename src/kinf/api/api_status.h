// SPDX-License-Identifier: Apache-2.0
// ApiStatus: how an API server words a failure (meta/v1 Status), and what it means for a caller.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

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
  std::string continue_token;  ///< of a 410 on a list page: goes on with an inconsistent rest
};

/// Reads a Status document. A protocol error if `json` is no JSON object of kind Status (a
/// missing apiVersion is tolerated, as in client-go).
Result<ApiStatus> parse_api_status(std::string_view json);

/// A Status for an HTTP answer without one: wording and reason by code, as client-go's
/// NewGenericServerResponse. `body` is plain text, cut to 2 KiB.
ApiStatus generic_api_status(int code, std::string_view verb, std::string_view resource,
                             std::string_view name, std::string_view body);

/// The Error that carries `status`; its kind follows reason first, then code.
Error to_error(ApiStatus status);

/// Reason Expired or Gone, or code 410 without a known reason.
bool is_expired(const Error& error);
/// The server has not reached the requested resourceVersion, in any of its three wordings
/// (kubernetes#94316, #107133).
bool is_too_large_resource_version(const Error& error);
/// 429, by reason or code.
bool is_throttled(const Error& error);

}  // namespace kinf
