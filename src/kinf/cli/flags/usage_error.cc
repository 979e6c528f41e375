// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/usage_error.h"

#include <fmt/format.h>

namespace kinf {

std::unexpected<Error> usage(std::string message, std::string_view command) {
  Error error(ErrorKind::usage, std::move(message));
  error.hint = command.empty() ? "kinf --help lists the commands"
                               : fmt::format("kinf {} --help lists the flags", command);
  return std::unexpected(std::move(error));
}

Result<void> reject(std::initializer_list<GivenFlag> flags, std::string_view other,
                    std::string_view command) {
  for (const auto& [flag, is_given] : flags) {
    if (is_given) return usage(fmt::format("{} cannot be used with {}", flag, other), command);
  }
  return {};
}

}  // namespace kinf
