// SPDX-License-Identifier: Apache-2.0
// The help text of each command.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinf {

/// Returns the help of the command `topic`, or of the program if `topic` is empty.
std::string help_text(std::string_view topic);

struct CommandSummary {
  std::string_view name;
  std::string_view summary;  ///< one line, without a full stop
};
/// Returns the commands that the help of the program lists, in its order.
std::vector<CommandSummary> command_summaries();

/// Returns the version and compiler: `kinf 0.1.0 (g++ 12.2.0)`.
std::string version_text();

}  // namespace kinf
