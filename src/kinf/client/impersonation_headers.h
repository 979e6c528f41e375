// SPDX-License-Identifier: Apache-2.0
// Impersonation as request headers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"

namespace kinf {

/// `Impersonate-User: jane` and so on; none without a user. Keys of `extra` are percent-encoded
/// where a header name cannot hold them. Errors (usage): a value with control characters.
Result<std::vector<std::string>> impersonation_headers(const Impersonation& impersonation);

/// Whether `value` can stand in a header: no control character but tab.
bool is_header_value(std::string_view value);

}  // namespace kinf
