// SPDX-License-Identifier: Apache-2.0
// Keeps the values of Secrets out of output and logs: each is replaced by its length.
#pragma once

#include <string>
#include <string_view>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/error.h"

namespace kinf {

/// Whether this is the core type Secret.
bool is_secret_type(const ResourceType& type);

/// Returns the document of a Secret with `<12 bytes>` in place of each value of data and
/// stringData, also in the copy that `kubectl apply` keeps in an annotation. All other bytes stay
/// as they are. Errors: protocol, if the document cannot be read. Then no part of it may be shown.
Result<std::string> mask_secret(std::string_view json);

}  // namespace kinf
