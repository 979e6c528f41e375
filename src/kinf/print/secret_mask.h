// SPDX-License-Identifier: Apache-2.0
// Keeps the values of Secrets off screens and out of logs: each becomes its length.
#pragma once

#include <string>
#include <string_view>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/error.h"

namespace kinf {

/// The core type Secret.
bool is_secret_type(const ResourceType& type);

/// The document of a Secret with every value of data and stringData written as `<12 bytes>`, also
/// in the copy that `kubectl apply` leaves in an annotation. All other bytes stay as they are. An
/// error if the document cannot be read: then nothing of it must be shown.
Result<std::string> mask_secret(std::string_view json);

}  // namespace kinf
