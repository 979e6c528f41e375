// SPDX-License-Identifier: Apache-2.0
// The three kinds of patch that an API server takes. Pure functions.
#pragma once

#include <expected>
#include <string>

#include "kinf/sandbox/json.h"

namespace kinf::sandbox {

/// RFC 7396: members are merged, null takes away, all else replaces.
void apply_merge_patch(Json& target, const Json& patch);

/// Merges as the above, but lists of the API's well-known fields element by element: containers by
/// name, conditions by type, ports by containerPort or port, finalizers as a set. Understands
/// `$patch: replace|delete`, `$deleteFromPrimitiveList/…`, `$retainKeys` and `$setElementOrder/…`.
void apply_strategic_patch(Json& target, const Json& patch);

/// RFC 6902. The error says which operation failed and why.
std::expected<Json, std::string> apply_json_patch(const Json& target, const Json& patch);

}  // namespace kinf::sandbox
