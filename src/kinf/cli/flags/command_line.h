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
  std::vector<std::string> words;  ///< the words after `kinf`; the last word is to be completed
};

struct VersionCommand {};
struct HelpCommand {
  std::string topic;  ///< the name of a command; empty means the help of kinf itself
};

using CommandLine =
    std::variant<HelpCommand, VersionCommand, GetCommand, SubresourceCommand, RawCommand,
                 WatchCommand, HistoryCommand, IndexCommand, RunCommand, WaitCommand, RecordCommand,
                 DemoCommand, SandboxCommand, CheckCommand, ApiResourcesCommand, InfoCommand,
                 CopyCommand, CompletionCommand, CompleteCommand>;

/// Parses `arguments`, which exclude the program name. Fails with a usage error.
Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments);
/// Like parse_command_line(), for words that read_complete_line() has read.
Result<CommandLine> parse_line(const TypedLine& line);
/// Sets the types of a command to those in the manifests of -f, if there are any. Blocks on the
/// disk and on the standard input, so call it once. Errors: usage.
Result<void> read_manifests(CommandLine& line);

}  // namespace kinf
