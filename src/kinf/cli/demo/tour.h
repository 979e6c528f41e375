// SPDX-License-Identifier: Apache-2.0
// The tour of `kinf demo`: all stages one after the other, each with a question and its answer.
#pragma once

#include <functional>

#include "kinf/cli/commands.h"
#include "kinf/cli/demo/stage_table.h"

namespace kinf {

/// Runs the stages on the terminal. Waits for Enter before each step; `q` or the end of the input
/// ends the tour. `run` runs a stage.
Result<ExitCode> tour(const CommandContext& context,
                      const std::function<Result<>(const DemoStage&)>& run);

}  // namespace kinf
