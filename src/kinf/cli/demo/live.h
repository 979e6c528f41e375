// SPDX-License-Identifier: Apache-2.0
// `kinf demo --live`: an informer as a diagram on the terminal, moved by keys. The tour uses it,
// too.
#pragma once

#include <string_view>

#include "kinf/cli/commands.h"

namespace kinf {

/// Runs the diagram until the user quits. Fails with kind `usage` without a terminal.
Result<ExitCode> live_demo(const DemoCommand& command, const CommandContext& context);

/// Shows the diagram with a question of the tour, after the keys of `scene`, until the user asks
/// for the answer. Returns false, and shows nothing, if the terminal is too small or cannot place
/// text.
bool show_scene(std::string_view scene, std::string_view question, const DemoCommand& command,
                const CommandContext& context);

}  // namespace kinf
