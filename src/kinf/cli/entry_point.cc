// SPDX-License-Identifier: Apache-2.0
// The program as a story: read the command line, prepare logs and signals, run the command.
#include "kinf/cli/run.h"

#include <unistd.h>

#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "kinf/base/log.h"
#include "kinf/cli/command_line.h"
#include "kinf/cli/commands.h"
#include "kinf/cli/error_report.h"
#include "kinf/cli/file_writer.h"
#include "kinf/cli/help.h"
#include "kinf/cli/signals.h"

namespace kinf {
namespace {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};

ExitCode print(const std::string& text) {
  FileWriter writer(STDOUT_FILENO);
  if (writer.write(text)) return ExitCode::ok;
  return writer.reader_is_gone() ? ExitCode::broken_pipe : ExitCode::other_error;
}

void configure_log(const GlobalFlags& flags) {
  log::Options options;
  options.verbosity = flags.verbosity;
  options.quiet = flags.quiet;
  log::configure(options);
}

/// Runs a command that can be interrupted.
template <class Command>
ExitCode run_command(ExitCode (*run)(const Command&, const Surroundings&), const Command& command) {
  configure_log(command.global);
  prepare_signals();
  const Environment environment = read_environment();
  RealClock clock;
  std::stop_source stop;
  Ending ending([&stop] { stop.request_stop(); });
  SignalWatcher signals(ending);
  return run(command, {environment, clock, ending, stop.get_token()});
}

}  // namespace

int run(int argc, char** argv) {
  const Result<CommandLine> line =
      parse_command_line(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  if (!line) {
    report(line.error());
    return static_cast<int>(exit_code_for(line.error()));
  }
  const ExitCode code = std::visit(
      Match{
          [](const HelpCommand& command) { return print(help_text(command.topic)); },
          [](const VersionCommand&) { return print(version_text()); },
          [](const WatchCommand& command) {
            return run_command(command.once ? run_get : run_watch, command);
          },
          [](const IndexCommand& command) { return run_command(run_index, command); },
          [](const RunCommand& command) { return run_command(run_run, command); },
          [](const DemoCommand& command) { return run_command(run_demo, command); },
          [](const SandboxCommand& command) { return run_command(run_sandbox, command); },
      },
      *line);
  return static_cast<int>(code);
}

}  // namespace kinf
