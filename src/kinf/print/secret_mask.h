// SPDX-License-Identifier: Apache-2.0
// Masks the values of Secrets in output and logs: replaces each value with its length.
#pragma once

#include <string>
#include <string_view>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/error.h"

namespace kinf {

/// Returns true for the core type Secret.
bool is_secret_type(const ResourceType& type);

/// Returns the document of a Secret in which `<12 bytes>` replaces each value of data and
/// stringData, including in the copy that `kubectl apply` stores in an annotation. All other bytes,
/// and values that are already masked, stay unchanged. Fails with kind `protocol` if the document
/// is invalid. The caller must not show any part of an invalid document.
Result<std::string> mask_secret(std::string_view json);

}  // namespace kinf
