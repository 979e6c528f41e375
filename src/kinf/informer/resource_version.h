// SPDX-License-Identifier: Apache-2.0
// Functions that compare resourceVersions. All other code treats them as opaque text.
#pragma once

#include <string_view>

#include "kinf/api/object.h"

namespace kinf {

/// Returns true if both are decimal numbers and `a` is smaller. Returns false if one is not a
/// number.
bool is_older_version(std::string_view a, std::string_view b);

/// Returns true if both are the same version of the same object. Compares uid and resourceVersion,
/// and the JSON documents if a transform removed the resourceVersion.
bool is_same_state(const Object& a, const Object& b);

}  // namespace kinf
