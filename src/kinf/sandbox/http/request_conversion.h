// SPDX-License-Identifier: Apache-2.0
// Makes the request for the handler from a request's head and body.
#pragma once

#include <expected>
#include <string>

#include "kinf/sandbox/http/http_message.h"
#include "kinf/sandbox/http/request_head.h"

namespace kinf::sandbox {

/// Returns the request with its path and query decoded, or why it is refused.
std::expected<HttpRequest, RequestError> to_http_request(const RequestHead& head, std::string body);

}  // namespace kinf::sandbox
