// SPDX-License-Identifier: Apache-2.0
// Base64 with padding (RFC 4648, section 4): `-data` fields of a kubeconfig, basic auth.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinf {

std::string base64_encode(std::string_view bytes);

/// Line breaks are skipped, as Go does; anything else that is not canonical gives nullopt.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace kinf
