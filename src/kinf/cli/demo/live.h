// SPDX-License-Identifier: Apache-2.0
// `kinf demo --live`: an informer as a diagram on the terminal, moved by keys.
#pragma once

#include "kinf/cli/commands.h"

namespace kinf {

/// Runs the diagram until the user quits. Fails with kind `usage` without a terminal.
Result<ExitCode> live_demo(const DemoCommand& command, const CommandContext& context);

}  // namespace kinf
