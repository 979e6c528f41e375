// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kinf/cli/flags/command_lines.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {

Result<CommandLine> api_resources_line(ParsedFlags& parsed) {
  ApiResourcesCommand& command = parsed.api_resources;
  command.global = parsed.global;
  if (parsed.args.empty()) return command;
  return usage(fmt::format("unexpected argument \"{}\"", parsed.args.front()), "api-resources");
}

}  // namespace kinf
