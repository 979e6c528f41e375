// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/command_lines.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {

Result<CommandLine> check_line(ParsedFlags& parsed) {
  CheckCommand& command = parsed.check;
  command.global = parsed.global;
  for (const std::string& arg : parsed.args) {
    for (std::string& type : split_commas(arg)) command.types.push_back(std::move(type));
  }
  if (command.verify && command.types.empty()) {
    return usage("--verify needs types: kinf check pods --verify", "check");
  }
  return command;
}

}  // namespace kinf
