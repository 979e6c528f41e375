// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kinf/cli/flags/command_lines.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {

Result<CommandLine> completion_line(ParsedFlags& parsed) {
  const std::string shell = parsed.args.empty() ? "" : parsed.args.front();
  const bool is_known = std::ranges::find(kCompletionShells, shell) != kCompletionShells.end();
  if (is_known && parsed.args.size() == 1) return CompletionCommand{shell};
  return usage("completion takes the name of one shell: bash, zsh or fish", "completion");
}

}  // namespace kinf
