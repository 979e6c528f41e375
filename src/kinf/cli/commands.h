// SPDX-License-Identifier: Apache-2.0
// The commands: each takes its part of the command line and what is around it, and says how it
// ended. Errors have been reported by then.
#pragma once

#include <stop_token>

#include "kinf/base/clock.h"
#include "kinf/cli/command_line.h"
#include "kinf/cli/ending.h"
#include "kinf/cli/environment.h"
#include "kinf/cli/exit_code.h"

namespace kinf {

/// What every command gets. Threads: the references are for the main thread, Ending for all.
struct Surroundings {
  const Environment& environment;
  Clock& clock;
  Ending& ending;
  std::stop_token stop;  ///< requested when the command is to end
};

ExitCode run_watch(const WatchCommand& command, const Surroundings& around);
/// `get`, `watch --once`.
ExitCode run_get(const WatchCommand& command, const Surroundings& around);
ExitCode run_index(const IndexCommand& command, const Surroundings& around);
ExitCode run_run(const RunCommand& command, const Surroundings& around);
ExitCode run_demo(const DemoCommand& command, const Surroundings& around);
ExitCode run_sandbox(const SandboxCommand& command, const Surroundings& around);

}  // namespace kinf
