// SPDX-License-Identifier: Apache-2.0
// The three kinds of patches that an API server supports.
#pragma once

#include <expected>
#include <functional>
#include <stop_token>
#include <string>

#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Applies an RFC 7396 merge patch: merges objects, deletes members that are null in the patch, and
/// replaces everything else.
void apply_merge_patch(Json& target, const Json& patch);

/// Applies a strategic merge patch to a whole object. Merges the items of the lists that are marked
/// as merged in kubernetes/merge_keys.h, and replaces all other lists. Supports
/// `$patch: replace|delete`, `$deleteFromPrimitiveList/…`, `$retainKeys` and `$setElementOrder/…`.
/// Returns at once when `stop` is requested. `target` is then incomplete.
void apply_strategic_patch(Json& target, const Json& patch, const std::stop_token& stop = {});

/// Applies an RFC 6902 JSON patch. The error is the reason why the patch cannot be applied. Also
/// fails if all `copy` operations together copy more than limits::kPatchCopyBytes, or if `stop` is
/// requested.
std::expected<Json, std::string> apply_json_patch(const Json& target, const Json& patch,
                                                  const std::stop_token& stop = {});

/// Returns the new state of an object, or the error that makes the change impossible.
using ObjectEdit = std::function<ApiResult<Json>(const Json& current)>;

/// Parses a patch. Fails with 415 for an unknown media type, 400 if the body is not a patch, and
/// 413 if it has too many operations. The returned edit fails with 409 if the patch has an outdated
/// resourceVersion, with 422 if it cannot be applied to the object, and with 503 when `stop` is
/// requested.
ApiResult<ObjectEdit> parse_patch(const ApiType& type, const std::string& media_type,
                                  const std::string& body, const std::stop_token& stop = {});

}  // namespace kinf::sandbox
