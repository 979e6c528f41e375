// SPDX-License-Identifier: Apache-2.0
// Errors as the user reads them: kubectl's wording where it has one, then what to do about it.
#pragma once

#include <string>

#include "kinf/base/error.h"

namespace kinf {

/// `error: …`, or `Error from server (Forbidden): …` if a server said so; with `hint: …` on a line
/// of its own. No line end behind it.
std::string error_text(const Error& error);

/// Writes error_text() to stderr.
void report(const Error& error);

}  // namespace kinf
