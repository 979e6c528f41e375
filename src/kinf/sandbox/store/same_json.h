// SPDX-License-Identifier: Apache-2.0
// same_json: compares documents without copying them.
#pragma once

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Returns true if the documents are equal, apart from the order of members.
bool is_same(const Json& one, const Json& other);

}  // namespace kinf::sandbox
