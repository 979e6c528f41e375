// SPDX-License-Identifier: Apache-2.0
// Reads the command line, sets up logging and signals, runs the command and reports its error.
#include "kinf/cli/entry_point.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "kinf/base/log.h"
#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/help.h"
#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/flags/run_flags.h"
#include "kinf/cli/flags/sandbox_flags.h"
#include "kinf/cli/flags/wait_flags.h"
#include "kinf/cli/flags/watch_flags.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/runtime/signals.h"
#include "kinf/cli/settings/command_reader.h"
#include "kinf/recording/play/replay_clock.h"

namespace kinf {
namespace {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};

void configure_log(const GlobalFlags& flags) {
  log::Options options;
  options.verbosity = flags.verbosity;
  options.quiet = flags.quiet;
  options.json = flags.log_json;
  log::configure(options);
}

template <class Command>
ExitCode execute(Result<ExitCode> (*run)(const Command&, const CommandContext&),
                 const Command& command, const Environment& environment) {
  configure_log(command.global);
  prepare_signals();
  RealClock real_clock;
  ReplayClock replay_clock(real_clock);
  const bool replays = !command.global.replay.from.empty();
  Clock& clock = replays ? static_cast<Clock&>(replay_clock) : real_clock;
  ExitRequest exit_request;
  const Result<std::unique_ptr<SignalWatcher>> signals = SignalWatcher::start(exit_request);
  const Result<ExitCode> code =
      signals ? run(command, {environment, clock, exit_request, exit_request.stop_token(),
                              replays ? &replay_clock : nullptr})
              : Result<ExitCode>(std::unexpected(signals.error()));
  if (code) return *code;
  if (code.error().kind != ErrorKind::stopped) report(code.error());
  return exit_request.code().value_or(exit_code_for(code.error()));
}

}  // namespace

int run(int argc, char** argv) {
  ignore_write_signals();
  open_standard_streams();
  const Environment environment = read_environment();
  const Result<CommandLine> line = read_command_line(
      std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc), environment);
  if (!line) {
    report(line.error());
    return static_cast<int>(exit_code_for(line.error()));
  }
  const ExitCode code = std::visit(
      Match{
          [](const HelpCommand& command) { return write_stdout(help_text(command.topic)); },
          [](const VersionCommand&) { return write_stdout(version_text()); },
          [&environment](const GetCommand& command) {
            return execute(get_command, command, environment);
          },
          [&environment](const WatchCommand& command) {
            return execute(watch_command, command, environment);
          },
          [&environment](const HistoryCommand& command) {
            return execute(history_command, command, environment);
          },
          [&environment](const IndexCommand& command) {
            return execute(index_command, command, environment);
          },
          [&environment](const RunCommand& command) {
            return execute(run_command, command, environment);
          },
          [&environment](const WaitCommand& command) {
            return execute(wait_command, command, environment);
          },
          [&environment](const RecordCommand& command) {
            return execute(record_command, command, environment);
          },
          [&environment](const DemoCommand& command) {
            return execute(demo_command, command, environment);
          },
          [&environment](const CheckCommand& command) {
            return execute(check_command, command, environment);
          },
          [&environment](const ApiResourcesCommand& command) {
            return execute(api_resources_command, command, environment);
          },
          [](const CompletionCommand& command) { return completion_command(command); },
          [&environment](const CompleteCommand& command) {
            return complete_command(command, environment);
          },
          [&environment](const SandboxCommand& command) {
            return execute(sandbox_command, command, environment);
          },
      },
      *line);
  return static_cast<int>(code);
}

}  // namespace kinf
