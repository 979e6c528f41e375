// SPDX-License-Identifier: Apache-2.0
// Runs a stage of `kinf demo`, on the embedded sandbox or a real server.
#pragma once

#include "kinf/base/error.h"

namespace kinf {

struct CommandContext;
struct DemoCommand;
struct DemoStage;

/// Opens the connection that the stage needs, and runs it until it ends or the command is stopped.
Result<void> run_stage(const DemoStage& stage, const DemoCommand& command,
                       const CommandContext& context);

}  // namespace kinf
