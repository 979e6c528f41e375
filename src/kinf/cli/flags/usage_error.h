// SPDX-License-Identifier: Apache-2.0
// Errors of the command line.
#pragma once

#include <expected>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "kinf/base/error.h"

namespace kinf {

/// Returns an error whose hint names the help of `command` (empty: that of kinf).
std::unexpected<Error> usage(std::string message, std::string_view command);

/// A flag, and whether it is given.
using GivenFlag = std::pair<const char*, bool>;

/// Rejects flags that do not fit `other`, a flag or a command.
Result<void> reject(std::initializer_list<GivenFlag> flags, std::string_view other,
                    std::string_view command);

}  // namespace kinf
