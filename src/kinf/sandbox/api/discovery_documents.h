// SPDX-License-Identifier: Apache-2.0
// Documents that describe the server: its version, both forms of discovery, and the part of OpenAPI
// that kubectl uses.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

Json version_document();

/// The documents of /api, /apis and /apis/GROUP in unaggregated discovery.
Json api_versions_document();
Json group_list_document(const ApiTypes& types);
std::optional<Json> group_document(const ApiTypes& types, std::string_view group);
/// Returns the document of /api/v1 or /apis/GROUP/VERSION.
Json resource_list_document(const ApiTypes& types, std::string_view group,
                            std::string_view version);
/// Returns the aggregated discovery of the core group (if `core`) or of all other groups.
Json aggregated_document(const ApiTypes& types, bool core);

/// Returns the document of /openapi/v3, which lists the documents of all group versions.
Json openapi_index(const ApiTypes& types);
/// Returns the OpenAPI document of a group version: the writes that support `fieldValidation` and
/// `dryRun`, and the schemas of its objects.
Json openapi_document(const ApiTypes& types, std::string_view group, std::string_view version);

}  // namespace kinf::sandbox
