// SPDX-License-Identifier: Apache-2.0
// The commands of a parsed command line, each checked in a file of its own. For command_line.cc
// only.
#pragma once

#include <string_view>

#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/parsed_flags.h"

namespace kinf {

/// Each function parses the texts that its command takes, and rejects flags that do not fit.
/// Errors: usage.
Result<CommandLine> index_line(ParsedFlags& parsed);
Result<CommandLine> run_line(ParsedFlags& parsed);
Result<CommandLine> wait_line(ParsedFlags& parsed);
Result<CommandLine> record_line(ParsedFlags& parsed);
Result<CommandLine> history_line(ParsedFlags& parsed);
Result<CommandLine> demo_line(ParsedFlags& parsed);
Result<CommandLine> check_line(ParsedFlags& parsed);
Result<CommandLine> api_resources_line(ParsedFlags& parsed);
Result<CommandLine> completion_line(ParsedFlags& parsed);
Result<CommandLine> sandbox_line(const SandboxCommand& command);
/// Checks `get` and `watch`. Rejects flags that need --watch if the command only prints once.
Result<CommandLine> watch_line(ParsedFlags& parsed, std::string_view name);

}  // namespace kinf
