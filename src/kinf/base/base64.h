// SPDX-License-Identifier: Apache-2.0
// Base64 with padding (RFC 4648, section 4), for the `-data` fields of a kubeconfig and for basic
// auth.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinf {

std::string base64_encode(std::string_view bytes);

/// Decodes `text`. Skips line breaks, as Go does. Returns nullopt if `text` contains characters
/// that are not Base64, or has wrong padding.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace kinf
