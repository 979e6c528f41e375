// SPDX-License-Identifier: Apache-2.0
// Masks the values of Secrets in output, logs and recordings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/error.h"
#include "kinf/kubernetes/secret_values.h"

namespace kinf {

/// Returns true for the core type Secret.
bool is_secret_type(const ResourceType& type);

/// What stands for a value.
enum class MaskForm : std::uint8_t {
  length,       ///< `<12 bytes>`
  placeholder,  ///< as many bytes, see secret_placeholder(): valid for a client that decodes it
};

/// Returns the document of a Secret with each value of data and stringData replaced, including in
/// the manifests that `kubectl apply` and other tools store in annotations. Replaces any other
/// annotation that contains a value, also one of `known`, with its length. All other bytes, and
/// values that are already masked as `<12 bytes>`, stay unchanged. `uid` is that of the Secret, if
/// the document does not contain it. Fails with kind `protocol` if the document is invalid. The
/// caller must not show any part of an invalid document.
Result<std::string> mask_secret(std::string_view json, MaskForm form, const SecretValues& known,
                                std::string_view uid);

/// Masks a Secret for output.
Result<std::string> mask_secret(std::string_view json);
/// Masks a Secret for a recording or a state.
Result<std::string> mask_recorded_secret(std::string_view json);

/// Adds the values in the document of a Secret. Adds none if the document is invalid.
void add_secret_values(SecretValues& values, std::string_view json);

}  // namespace kinf
