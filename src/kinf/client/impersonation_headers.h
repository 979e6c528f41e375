// SPDX-License-Identifier: Apache-2.0
// Request headers for impersonation. Pure functions, to be called from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"

namespace kinf {

/// Returns `Impersonate-User: jane` and so on; none without a user. Keys of `extra` are
/// percent-encoded where a header name cannot contain them. Errors: usage, for a value with control
/// characters.
Result<std::vector<std::string>> impersonation_headers(const Impersonation& impersonation);

/// Whether a header can contain `value`: it has no control characters except tabs.
bool is_header_value(std::string_view value);

}  // namespace kinf
