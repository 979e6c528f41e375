// SPDX-License-Identifier: Apache-2.0
// Parses the command line. Checks everything that can be checked without a server.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kinf/cli/flags/typed_line.h"

namespace kinf {

struct ApiResourcesCommand;
struct CheckCommand;
struct DemoCommand;
struct GetCommand;
struct GlobalFlags;
struct HistoryCommand;
struct IndexCommand;
struct RecordCommand;
struct RunCommand;
struct SandboxCommand;
struct WaitCommand;
struct WatchCommand;

/// The shells that have a completion script.
inline constexpr std::array<std::string_view, 3> kCompletionShells = {"bash", "zsh", "fish"};
/// `kinf completion`
struct CompletionCommand {
  std::string shell;
};
/// `kinf __complete`
struct CompleteCommand {
  std::vector<std::string> words;  ///< those after `kinf`; the last one is to be completed
};

struct VersionCommand {};
struct HelpCommand {
  std::string topic;  ///< a command; empty: the program
};

using CommandLine =
    std::variant<HelpCommand, VersionCommand, GetCommand, WatchCommand, HistoryCommand,
                 IndexCommand, RunCommand, WaitCommand, RecordCommand, DemoCommand, SandboxCommand,
                 CheckCommand, ApiResourcesCommand, CompletionCommand, CompleteCommand>;

/// Parses `arguments`, which exclude the program name. Fails with a usage error.
Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments);
/// The same for words that were read.
Result<CommandLine> parse_line(const TypedLine& line);

/// Checks the value of each flag in `line` by itself, not whether the flags fit each other or
/// something is missing. Errors: usage.
Result<void> check_values(const TypedLine& line);

/// Returns the global flags in `line`. Flags with wrong values count as not given.
GlobalFlags global_flags(const TypedLine& line);

}  // namespace kinf
