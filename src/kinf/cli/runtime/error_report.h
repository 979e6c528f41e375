// SPDX-License-Identifier: Apache-2.0
// Formats errors for the user, in kubectl's wording if it has one, followed by a hint.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// Returns `error: …`, or `Error from server (REASON): …` for an API status, followed by
/// `hint: …` on its own line if there is one. Adds no final newline.
std::string error_text(const Error& error);

/// Writes error_text() to stderr.
void report(const Error& error);
/// Writes the error of one cluster of several, with the name of its context. If `context` is empty,
/// no name is written.
void report(const Error& error, std::string_view context);

/// Logs that types which were requested as some of all cannot be read, each with its reason.
/// `cluster`: the name to put before it, or empty. Without types, logs nothing.
void log_left_out(std::string_view cluster, const std::vector<std::string>& types);

}  // namespace kinf
