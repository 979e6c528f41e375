// SPDX-License-Identifier: Apache-2.0
// ParsedFlags: the values that the parser of the command line writes. For command_line.cc only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinf/cli/command_line.h"
#include "kinf/cli/flags.h"

namespace kinf {

/// A command line has one command, so commands share fields.
struct ParsedFlags {
  GlobalFlags global;
  WatchCommand watch;  ///< also holds the flags of get
  IndexCommand index;
  RunCommand run;
  WaitCommand wait;
  RecordCommand record;
  DemoCommand demo;
  SandboxCommand sandbox;
  std::vector<std::string> args;
  OutputTexts texts;
  std::vector<std::string> by;
  std::vector<std::string> where;
  WatchExpressions expressions;
  std::vector<std::string> changed;  ///< of run
  WaitTexts waits;
  std::optional<bool> watch_flag;
  bool help = false;
  bool version = false;
};

}  // namespace kinf
