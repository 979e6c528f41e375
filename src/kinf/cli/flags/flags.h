// SPDX-License-Identifier: Apache-2.0
// Declares the flags of the commands. For command_line.cc only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinf/cli/flags/command_line.h"

namespace CLI {
class App;
}

namespace kinf {

/// Each function declares flags on `app`. Parsing writes the values to the struct, which must live
/// until then.
void add_global_flags(CLI::App& app, GlobalFlags& flags);
/// `where` receives the texts of --where.
void add_informer_flags(CLI::App& app, InformerFlags& flags, std::vector<std::string>& where);
/// Adds the flags of the queue and of resyncs.
void add_queue_flags(CLI::App& app, InformerFlags& flags);
/// Adds the flags that decide what is kept of each object.
void add_parts_flags(CLI::App& app, InformerFlags& flags);
/// Adds --from and the flags that select a moment of the recording.
void add_moment_flags(CLI::App& app, ReplayFlags& flags);
/// Adds the flags of the commands that can read a recording.
void add_replay_flags(CLI::App& app, ReplayFlags& flags);
/// Adds the flag of the commands that can write a recording besides.
void add_recording_flag(CLI::App& app, RecordFlags& flags);
/// The texts of output flags that are parsed later, when the command is known.
struct OutputTexts {
  std::string output = "table";
  std::string sort_by;
};
/// Adds the flags of all commands that print objects.
void add_output_flags(CLI::App& app, OutputFlags& flags, OutputTexts& texts);
/// The texts of flags that are compiled after the command line was parsed.
struct WatchExpressions {
  std::vector<std::string> changed;
  std::vector<std::string> ignored;
  std::optional<std::string> jq;
  std::optional<std::string> until;
};
void add_watch_flags(CLI::App& app, WatchCommand& command, bool& once,
                     WatchExpressions& expressions);
/// Adds the flags of `kinf history`. The texts of -o go to `texts`.
void add_history_flags(CLI::App& app, WatchCommand& command, OutputTexts& texts);
/// `by` receives the texts of --by.
void add_index_flags(CLI::App& app, IndexCommand& command, std::vector<std::string>& by);
/// `changed` receives the texts of --changed.
void add_run_flags(CLI::App& app, RunCommand& command, std::vector<std::string>& changed);
/// The texts of flags of `kinf wait` that are parsed later.
struct WaitTexts {
  std::string output;
  std::vector<std::string> conditions;
  std::vector<std::string> failures;
  std::optional<Clock::Duration> timeout{};  ///< nullopt: not given
};
void add_wait_flags(CLI::App& app, WaitCommand& command, WaitTexts& texts);
/// Adds the flag of the commands that can remember what they have handled.
void add_state_flag(CLI::App& app, StateFlags& flags);
void add_record_flags(CLI::App& app, RecordFlags& flags);
void add_demo_flags(CLI::App& app, DemoCommand& command);
void add_check_flags(CLI::App& app, CheckCommand& command);
void add_api_resources_flags(CLI::App& app, ApiResourcesCommand& command);
void add_sandbox_flags(CLI::App& app, SandboxCommand& command);

}  // namespace kinf
