// SPDX-License-Identifier: Apache-2.0
// Responses to requests that are not about objects: health, version, aggregated and unaggregated
// discovery, the part of OpenAPI that kubectl uses, and access reviews, which allow everything.
#pragma once

#include <optional>
#include <string_view>

#include "kinf/http/http_message.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Returns the response to a request for a document or an access review. Returns nullopt for any
/// other request.
std::optional<HttpResponse> document_response(const ApiTypes& types, const HttpRequest& request);

/// Returns the document of /openapi/v3, which lists the documents of all group versions.
Json openapi_index(const ApiTypes& types);
/// Returns the OpenAPI document of a group version: the writes that support `fieldValidation` and
/// `dryRun`, and the schemas of its objects.
Json openapi_document(const ApiTypes& types, std::string_view group, std::string_view version);

}  // namespace kinf::sandbox
