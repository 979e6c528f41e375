// SPDX-License-Identifier: Apache-2.0
// `kinf demo --live`: an informer as a diagram on the terminal, controlled by keys. The tour uses
// the diagram, too. The code in this folder uses neither a real server nor the sandbox: the diagram
// has a small server of its own.
#pragma once

#include <string>
#include <string_view>

#include "kinf/cli/runtime/commands.h"
#include "kinf/demo/live/guesses.h"
#include "kinf/demo/stages/stage.h"
#include "kinf/informer/informer_options.h"

namespace kinf {

/// Runs the diagram until the user quits. Fails with kind `usage` without a terminal.
Result<ExitCode> live_demo(bool has_colours, QueueKind queue, const CommandContext& context);

/// A question of the tour and its answer.
struct SceneText {
  std::string heading;
  std::string_view question;
  std::string_view answer;
  const Guesses* guesses = nullptr;  ///< null if the question has none
};

enum class SceneEnd {
  not_shown,  ///< the terminal is too small or cannot show the diagram
  next,       ///< the user has continued after the answer
  quit        ///< the user has ended the tour, or the command has ended
};

/// Shows a scene of the tour in the diagram, until the user continues after the answer or quits.
SceneEnd show_scene(const DemoScene& scene, const SceneText& text, bool has_colours,
                    QueueKind queue, const CommandContext& context);

/// Runs `kinf demo --keys KEYS`: presses keys in the diagram without a terminal. Prints the state
/// at the start and after each of `keys`, one JSON object per line. The output depends on `keys`
/// only. Fails with kind `usage` if a key has no meaning.
Result<ExitCode> trace_keys(const std::string& keys, QueueKind queue,
                            const CommandContext& context);

/// Runs `kinf demo [STAGE] --screen FORMAT`: prints the diagram of `stage`, or of an informer if
/// `stage` is null, after `keys`. `format` is a size such as `80x24` (text), or `svg`.
Result<ExitCode> print_screen(const std::string& format, const DemoStage* stage,
                              const std::string& keys, QueueKind queue,
                              const CommandContext& context);

/// Fails with kind `usage` if one of `keys` has no meaning in --keys.
Result<void> check_keys(const std::string& keys);

}  // namespace kinf
