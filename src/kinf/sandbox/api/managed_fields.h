// SPDX-License-Identifier: Apache-2.0
// managedFields: which manager has set which fields of an object. Covers writes of the operation
// Update by all managers, but does not detect conflicts between managers.
// Source: sigs.k8s.io/structured-merge-diff, KEP-555.
#pragma once

#include <string>

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

struct FieldManager {
  std::string name;
  std::string operation = "Update";  ///< `Update` or `Apply`
  std::string subresource = {};      ///< such as `status`, or empty
};

/// Sets metadata.managedFields of `after`, the state that `manager` has made from `before`. The
/// manager owns the fields that it has changed; other managers lose these fields. `before` is an
/// empty object for a new object. A manager that only removes fields gets no entry. Does nothing if
/// the manager has no name. `now` is an RFC 3339 timestamp.
void record_manager(const Json& before, Json& after, const FieldManager& manager,
                    const std::string& now);

}  // namespace kinf::sandbox
