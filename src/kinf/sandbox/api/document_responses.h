// SPDX-License-Identifier: Apache-2.0
// The paths that are not about objects: health, version, discovery, OpenAPI, and reviews of rights
// (of which every user has all).
#pragma once

#include <optional>

#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/http/http_message.h"

namespace kinf::sandbox {

/// Empty if the request is for none of these.
std::optional<HttpResponse> document_response(const ApiTypes& types, const HttpRequest& request);

}  // namespace kinf::sandbox
