// SPDX-License-Identifier: Apache-2.0
// HTTP responses that the API makes of JSON documents and of Statuses, and what it reads from the
// body of a request.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/http/http_message.h"

namespace kinf::sandbox {

HttpResponse json_response(int code, const Json& json);
HttpResponse text_response(int code, std::string body);
HttpResponse status_response(const ApiStatus& status);
/// A Status that says that all went well, with what it tells about the object, if anything.
HttpResponse success_response(int code, Json details = nullptr);

/// The request only asks what would happen (`dryRun=All`).
inline bool is_dry_run(const HttpRequest& request) { return request.parameter("dryRun") == "All"; }

/// The object in the body, in JSON or protobuf; 415 for other media types.
ApiResult<Json> body_object(const HttpRequest& request);

/// The response to `POST /sandbox/fault?spec=…`; empty for any other request.
std::optional<HttpResponse> fault_endpoint(
    const HttpRequest& request, const std::function<Result<>(std::string_view spec)>& inject);

}  // namespace kinf::sandbox
