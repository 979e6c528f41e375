// SPDX-License-Identifier: Apache-2.0
// The flags that several commands have in common. Only for the files that declare flags.
#pragma once

#include "kinf/cli/command_line.h"

namespace CLI {
class App;
}

namespace kinf {

/// Each declares its flags with `app`; values go to the struct, which must live until parsed.
void add_global_flags(CLI::App& app, GlobalFlags& flags);
void add_informer_flags(CLI::App& app, InformerFlags& flags);
/// `changed` takes the texts of --changed, `ignored` those of --ignore.
void add_watch_flags(CLI::App& app, WatchCommand& command, std::vector<std::string>& changed,
                     std::vector<std::string>& ignored);
/// `by` takes the texts of --by.
void add_index_flags(CLI::App& app, IndexCommand& command, std::vector<std::string>& by);
/// `changed` takes the texts of --changed.
void add_run_flags(CLI::App& app, RunCommand& command, std::vector<std::string>& changed);
void add_demo_flags(CLI::App& app, DemoCommand& command);
void add_sandbox_flags(CLI::App& app, SandboxCommand& command);

}  // namespace kinf
