// SPDX-License-Identifier: Apache-2.0
// The three kinds of patch that an API server takes. Pure functions.
#pragma once

#include <expected>
#include <functional>
#include <string>

#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// RFC 7396: members are merged, null takes away, all else replaces.
void apply_merge_patch(Json& target, const Json& patch);

/// Merges as the above, but lists of the API's well-known fields element by element: containers by
/// name, conditions by type, ports by containerPort or port, finalizers as a set. Understands
/// `$patch: replace|delete`, `$deleteFromPrimitiveList/…`, `$retainKeys` and `$setElementOrder/…`.
void apply_strategic_patch(Json& target, const Json& patch);

/// RFC 6902. The error says which operation failed and why.
std::expected<Json, std::string> apply_json_patch(const Json& target, const Json& patch);

/// A change to an object: what it is to become, or why not.
using ObjectEdit = std::function<ApiResult<Json>(const Json& current)>;

/// The change that a patch of this media type asks for; 415 for types that are not known, 400 and
/// 413 for a body that is no patch or too long. The edit refuses a patch of another
/// resourceVersion (409) and one that does not fit its object (422).
ApiResult<ObjectEdit> parse_patch(const ApiType& type, const std::string& media_type,
                                  const std::string& body);

}  // namespace kinf::sandbox
