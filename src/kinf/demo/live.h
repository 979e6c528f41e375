// SPDX-License-Identifier: Apache-2.0
// `kinf demo --live`: an informer as a diagram on the terminal, moved by keys. The tour uses it,
// too.
#pragma once

#include <string>
#include <string_view>

#include "kinf/cli/runtime/commands.h"
#include "kinf/demo/stage_table.h"

namespace kinf {

/// Runs the diagram until the user quits. Fails with kind `usage` without a terminal.
Result<ExitCode> live_demo(const DemoCommand& command, const CommandContext& context);

/// A question of the tour and its answer.
struct SceneText {
  std::string heading;
  std::string_view question;
  std::string_view answer;
};

enum class SceneEnd {
  not_shown,  ///< the terminal is too small or cannot place text
  next,       ///< the user has seen the answer
  quit        ///< the user has ended the tour, or the command has ended
};

/// Shows a scene of the tour in the diagram, until the user goes on from the answer or quits.
SceneEnd show_scene(const DemoScene& scene, const SceneText& text, const DemoCommand& command,
                    const CommandContext& context);

}  // namespace kinf
