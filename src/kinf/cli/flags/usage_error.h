// SPDX-License-Identifier: Apache-2.0
// Errors of the command line, in kubectl's words where it has them.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// Returns an error whose hint names the help of `command` (empty: that of kinf).
std::unexpected<Error> usage(std::string message, std::string_view command);

/// Returns the error for a word that is not a command. The hint may name a similar command or
/// alias.
std::unexpected<Error> unknown_command(std::string_view word,
                                       const std::vector<std::string>& aliases = {});

/// Returns the error for a flag such as `--frob` or a group such as `-xn`, of which the first is
/// unknown. The hint may name a similar flag of `command`.
std::unexpected<Error> unknown_flag(std::string_view flag, std::string_view command);

}  // namespace kinf
