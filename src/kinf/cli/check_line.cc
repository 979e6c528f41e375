// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/command_lines.h"

namespace kinf {

Result<CommandLine> check_line(ParsedFlags& parsed) {
  CheckCommand& command = parsed.check;
  command.global = parsed.global;
  for (const std::string& arg : parsed.args) {
    for (std::string& type : split_commas(arg)) command.types.push_back(std::move(type));
  }
  return command;
}

}  // namespace kinf
