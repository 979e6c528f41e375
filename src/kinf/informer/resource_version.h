// SPDX-License-Identifier: Apache-2.0
// Compares resourceVersions. Everywhere else they are opaque text.
#pragma once

#include <string_view>

#include "kinf/api/object.h"

namespace kinf {

/// True if both are decimal numbers and `a` is the smaller one; false if they cannot be compared.
bool is_older_version(std::string_view a, std::string_view b);

/// Whether both are the same state of the same object: by uid and resourceVersion, or by their
/// documents if a transform has removed the resourceVersion.
bool is_same_state(const Object& a, const Object& b);

}  // namespace kinf
