// SPDX-License-Identifier: Apache-2.0
// Documents about the server: its version, both forms of discovery, and the part of OpenAPI that
// kubectl uses.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

Json version_document();

/// /api, /apis and /apis/GROUP, without aggregation.
Json api_versions_document();
Json group_list_document(const ApiTypes& types);
std::optional<Json> group_document(const ApiTypes& types, std::string_view group);
/// /api/v1 and /apis/GROUP/VERSION.
Json resource_list_document(const ApiTypes& types, std::string_view group,
                            std::string_view version);
/// Aggregated discovery: of the core group alone, or of all the others.
Json aggregated_document(const ApiTypes& types, bool core);

/// /openapi/v3: the index of the group versions' documents.
Json openapi_index(const ApiTypes& types);
/// The OpenAPI document of a group version: which writes take `fieldValidation` and `dryRun`, and
/// the schemas of its objects.
Json openapi_document(const ApiTypes& types, std::string_view group, std::string_view version);

}  // namespace kinf::sandbox
