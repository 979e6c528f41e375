// SPDX-License-Identifier: Apache-2.0
// `kinf demo --keys KEYS`: presses keys in the diagram of `kinf demo --live`, without a terminal.
#pragma once

#include <string>

#include "kinf/cli/runtime/commands.h"

namespace kinf {

/// Prints the state at the start and after each of `keys`, one JSON object per line. The output
/// depends on `keys` only. Fails with kind `usage` if a key has no meaning.
Result<ExitCode> trace_keys(const std::string& keys, const CommandContext& context);

}  // namespace kinf
