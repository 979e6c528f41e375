// SPDX-License-Identifier: Apache-2.0
// Responses to requests that are not about objects: health, version, discovery, OpenAPI, and access
// reviews, which allow everything.
#pragma once

#include <optional>

#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/http/http_message.h"

namespace kinf::sandbox {

/// Returns nullopt for any other request.
std::optional<HttpResponse> document_response(const ApiTypes& types, const HttpRequest& request);

}  // namespace kinf::sandbox
