// SPDX-License-Identifier: Apache-2.0
// Errors of CLI11 in the words of kubectl.
#pragma once

#include <array>
#include <expected>
#include <string_view>

#include "kinf/base/error.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace kinf {

inline constexpr std::array<std::string_view, 14> kCommands = {
    "watch", "get",     "index", "wait",          "run",        "record",  "history",
    "demo",  "sandbox", "check", "api-resources", "completion", "version", "help"};

/// Converts an error of CLI11. `command` is empty if none was given.
std::unexpected<Error> parse_error(const CLI::App& app, const CLI::ParseError& error,
                                   std::string_view command);

}  // namespace kinf
