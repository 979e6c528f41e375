// SPDX-License-Identifier: Apache-2.0
// Makes request headers for impersonation. Pure functions.
// Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"

namespace kinf {

/// Returns headers such as `Impersonate-User: jane`; none if there is no user. In keys of `extra`,
/// percent-encodes characters that a header name cannot contain. Errors: usage, for a value with
/// control characters.
Result<std::vector<std::string>> impersonation_headers(const Impersonation& impersonation);

/// Returns whether `value` is valid in a header: it contains no control characters except tabs.
bool is_header_value(std::string_view value);

}  // namespace kinf
