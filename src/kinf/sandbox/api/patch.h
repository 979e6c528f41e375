// SPDX-License-Identifier: Apache-2.0
// The three kinds of patch that an API server supports. Pure functions.
#pragma once

#include <expected>
#include <functional>
#include <string>

#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Applies an RFC 7396 merge patch: objects are merged, null deletes, everything else replaces.
void apply_merge_patch(Json& target, const Json& patch);

/// Applies a strategic merge patch. Merges well-known lists element by element: containers by name,
/// conditions by type, ports by containerPort or port, finalizers as a set. Supports `$patch:
/// replace|delete`, `$deleteFromPrimitiveList/…`, `$retainKeys` and `$setElementOrder/…`.
void apply_strategic_patch(Json& target, const Json& patch);

/// Applies an RFC 6902 JSON patch. The error says which operation failed and why.
std::expected<Json, std::string> apply_json_patch(const Json& target, const Json& patch);

/// Returns the new state of an object, or why the change is not possible.
using ObjectEdit = std::function<ApiResult<Json>(const Json& current)>;

/// Parses a patch. 415 for an unknown media type, 400 for a body that is not a patch, 413 for too
/// many operations. The edit returns 409 for a patch of another resourceVersion and 422 if it does
/// not fit the object.
ApiResult<ObjectEdit> parse_patch(const ApiType& type, const std::string& media_type,
                                  const std::string& body);

}  // namespace kinf::sandbox
