// SPDX-License-Identifier: Apache-2.0
// ParsedFlags: the values that the parser of the command line writes. For command_line.cc and
// completion only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/flags.h"

namespace kinf {

/// A command line has one command, so commands share fields.
struct ParsedFlags {
  GlobalFlags global;
  WatchCommand watch;  ///< also holds the flags that get and history share with it
  IndexCommand index;
  RunCommand run;
  WaitCommand wait;
  RecordCommand record;
  DemoCommand demo;
  SandboxCommand sandbox;
  CheckCommand check;
  ApiResourcesCommand api_resources;
  std::vector<std::string> args;
  OutputTexts texts;
  std::vector<std::string> by;
  std::vector<std::string> where;
  WatchExpressions expressions;
  std::vector<std::string> changed;  ///< of run
  WaitTexts waits;
  std::optional<bool> watch_flag;
  bool once = false;
  bool ignore_not_found = false;  ///< of get
  bool help = false;
  bool version = false;
};

/// Declares the global flags and the flags of each command whose name is in `arguments`. Skips the
/// other commands to save startup time. `parsed` must live until `app` has parsed.
void declare_flags(CLI::App& app, const std::vector<std::string>& arguments, ParsedFlags& parsed);

/// Returns whether `flag` (`--sandbox`) may be given without a value.
bool has_optional_value(std::string_view flag);

}  // namespace kinf
