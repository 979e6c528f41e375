// SPDX-License-Identifier: Apache-2.0
// What deletion leaves on an object that may not go yet: a deletionTimestamp, as long as there are
// finalizers or a grace period.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinf/sandbox/api/api_errors.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

inline bool is_deleting(const Json& object) {
  return !field(object, "metadata", "deletionTimestamp").is_null();
}

inline bool has_finalizers(const Json& object) {
  return !elements(field(object, "metadata", "finalizers")).empty();
}

/// 409 if `wanted` is not empty and not what the object has as `metadata.key`. `name` is what the
/// message calls it.
std::optional<ApiStatus> check_precondition(const ApiType& type, const Json& object,
                                            std::string_view name, std::string_view key,
                                            const std::string& wanted);

}  // namespace kinf::sandbox
