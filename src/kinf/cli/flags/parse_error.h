// SPDX-License-Identifier: Apache-2.0
// Errors of CLI11 in the words of kubectl.
#pragma once

#include <array>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace kinf {

inline constexpr std::array<std::string_view, 14> kCommands = {
    "watch", "get",     "index", "wait",          "run",        "record",  "history",
    "demo",  "sandbox", "check", "api-resources", "completion", "version", "help"};

bool is_command(std::string_view name);

/// Returns the error for a word that is no command. The hint may name a similar command or alias.
std::unexpected<Error> unknown_command(std::string_view word,
                                       const std::vector<std::string>& aliases = {});

/// Converts an error of CLI11. `command` is empty if none was given.
std::unexpected<Error> parse_error(const CLI::App& app, const CLI::ParseError& error,
                                   std::string_view command);

}  // namespace kinf
