// SPDX-License-Identifier: Apache-2.0
// `kinf demo --live`: an informer as a diagram on the terminal, controlled by keys. The tour uses
// the diagram, too. The code in this folder uses neither a real server nor the sandbox: the diagram
// has a small server of its own.
#pragma once

#include <string>
#include <string_view>

#include "kinf/cli/runtime/commands.h"
#include "kinf/demo/stages/stage.h"

namespace kinf {

/// Runs the diagram until the user quits. Fails with kind `usage` without a terminal.
Result<ExitCode> live_demo(bool has_colours, const CommandContext& context);

/// A question of the tour and its answer.
struct SceneText {
  std::string heading;
  std::string_view question;
  std::string_view answer;
};

enum class SceneEnd {
  not_shown,  ///< the terminal is too small or cannot show the diagram
  next,       ///< the user has continued after the answer
  quit        ///< the user has ended the tour, or the command has ended
};

/// Shows a scene of the tour in the diagram, until the user continues after the answer or quits.
SceneEnd show_scene(const DemoScene& scene, const SceneText& text, bool has_colours,
                    const CommandContext& context);

/// Runs `kinf demo --keys KEYS`: presses keys in the diagram without a terminal. Prints the state
/// at the start and after each of `keys`, one JSON object per line. The output depends on `keys`
/// only. Fails with kind `usage` if a key has no meaning.
Result<ExitCode> trace_keys(const std::string& keys, const CommandContext& context);

}  // namespace kinf
