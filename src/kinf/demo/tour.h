// SPDX-License-Identifier: Apache-2.0
// The tour of `kinf demo`: all stages one after the other, each with a question and its answer.
#pragma once

#include <functional>
#include <string>

#include "kinf/cli/runtime/commands.h"
#include "kinf/demo/live.h"
#include "kinf/demo/stage_table.h"

namespace kinf {

/// What the tour does with one stage.
struct TourSteps {
  /// Shows the scene of a stage in the diagram. `heading`: its number and name.
  std::function<SceneEnd(const DemoStage& stage, std::string heading)> show;
  /// Runs a stage that cannot be shown.
  std::function<Result<>(const DemoStage& stage)> run;
};

/// Lists the stages on the terminal and goes through them. Stages that cannot be shown in the
/// diagram are run as text; `q` or the end of the input ends the tour there.
Result<ExitCode> tour(const CommandContext& context, const TourSteps& steps);

}  // namespace kinf
