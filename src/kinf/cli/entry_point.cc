// SPDX-License-Identifier: Apache-2.0
// Reads the command line, sets up logging and signals, runs the command and reports its error.
#include "kinf/cli/entry_point.h"

#include <string>
#include <variant>
#include <vector>

#include "kinf/base/hints.h"
#include "kinf/base/log.h"
#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/command_table.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/runtime/signals.h"
#include "kinf/cli/settings/command_reader.h"
#include "kinf/recording/play/replay_clock.h"

namespace kinf {
namespace {

/// Runs one command and returns its exit code. For most commands, first configures logging,
/// installs signal handling and creates the clock.
struct Dispatch {
  const Environment& environment;

  ExitCode operator()(const HelpCommand& command) const {
    return write_stdout(help_text(command.topic));
  }
  ExitCode operator()(const VersionCommand&) const { return write_stdout(version_text()); }
  ExitCode operator()(const CompletionCommand& command) const {
    return completion_command(command);
  }
  ExitCode operator()(const CompleteCommand& command) const {
    return complete_command(command, environment);
  }

  template <class Command>
  ExitCode operator()(const Command& command) const {
    const GlobalFlags& flags = command.global;
    log::configure({.verbosity = flags.verbosity, .quiet = flags.quiet, .json = flags.log_json});
    prepare_signals();
    RealClock real_clock;
    ReplayClock replay_clock(real_clock);
    const bool replays = !flags.replay.from.empty();
    Clock& clock = replays ? static_cast<Clock&>(replay_clock) : real_clock;
    ExitRequest exit_request;
    const auto signals = SignalWatcher::start(exit_request);
    Result<ExitCode> code = ExitCode::ok;
    if (signals) {
      code = run_command(command, {environment, clock, exit_request, exit_request.stop_token(),
                                   replays ? &replay_clock : nullptr});
    } else {
      code = fail(signals);
    }
    if (code) return *code;
    if (code.error().kind != ErrorKind::stopped) report(code.error());
    return exit_request.code().value_or(exit_code_for(code.error()));
  }
};

}  // namespace

int run(int argc, char** argv) {
  hints_name_flags = true;
  ignore_write_signals();
  open_standard_streams();
  const Environment environment = read_environment();
  Result<CommandLine> line = read_command_line(
      std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc), environment);
  if (line) {
    if (auto read = read_manifests(*line); !read) line = fail(read);
  }
  if (!line) {
    report(line.error());
    return static_cast<int>(exit_code_for(line.error()));
  }
  return static_cast<int>(std::visit(Dispatch{environment}, *line));
}

}  // namespace kinf
