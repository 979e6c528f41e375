// SPDX-License-Identifier: Apache-2.0
// Parses the command line. Checks everything that can be checked without a server.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/flags/run_flags.h"
#include "kinf/cli/flags/sandbox_flags.h"
#include "kinf/cli/flags/typed_line.h"
#include "kinf/cli/flags/wait_flags.h"
#include "kinf/cli/flags/watch_flags.h"

namespace kinf {

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

}  // namespace kinf
