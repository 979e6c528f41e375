// SPDX-License-Identifier: Apache-2.0
// What deletion leaves on an object that may not go yet: a deletionTimestamp, as long as there are
// finalizers or a grace period.
#pragma once

#include "kinf/sandbox/json.h"

namespace kinf::sandbox {

inline bool is_deleting(const Json& object) {
  return !field(object, "metadata", "deletionTimestamp").is_null();
}

inline bool has_finalizers(const Json& object) {
  const Json& finalizers = field(object, "metadata", "finalizers");
  return finalizers.is_array() && !finalizers.empty();
}

}  // namespace kinf::sandbox
