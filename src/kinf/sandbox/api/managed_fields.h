// SPDX-License-Identifier: Apache-2.0
// managedFields: who has set which fields of an object. Covers writes of the operation Update;
// fields of all writers are tracked, but conflicts between appliers are not detected.
// Source: sigs.k8s.io/structured-merge-diff, KEP-555.
#pragma once

#include <string>

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

struct FieldManager {
  std::string name;
  std::string operation = "Update";  ///< or `Apply`
  std::string subresource = {};      ///< such as `status`, or empty
};

/// Sets metadata.managedFields of `after`, the state that `manager` has made from `before`: the
/// manager owns what it has changed, other managers lose it. `before` is an empty object for a new
/// object. Does nothing if no field was changed or the manager has no name. `now` is an RFC 3339
/// timestamp.
void record_manager(const Json& before, Json& after, const FieldManager& manager,
                    const std::string& now);

}  // namespace kinf::sandbox
