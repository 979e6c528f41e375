// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kinf/cli/flags/command_lines.h"
#include "kinf/cli/flags/flag_checks.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {
namespace {

/// Rejects flags that do not fit a sandbox that shows a recording.
Result<void> check_past(const SandboxCommand& command) {
  const ReplayFlags& replay = command.global.replay;
  if (replay.from.empty()) return check_moment(replay, "sandbox");
  if (replay.from == "-") return usage("sandbox --from needs a file of kinf record", "sandbox");
  if (!replay.at.empty() && !replay.since.empty()) {
    return usage("--at shows one moment; use --since to play on from it", "sandbox");
  }
  if (command.speed != 1 && replay.since.empty()) {
    return usage("--speed needs --since with --from", "sandbox");
  }
  return reject({{"--scenario", !command.scenario.empty()},
                 {"--load", !command.load.empty()},
                 {"--data", !command.data.empty()},
                 {"--nodes", command.nodes.has_value()},
                 {"--no-controllers", command.no_controllers},
                 {"--relay", !command.relay.empty()}},
                "--from", "sandbox");
}

}  // namespace

Result<CommandLine> sandbox_line(const SandboxCommand& command) {
  if (Result<void> fine = check_past(command); !fine) {
    return std::unexpected(std::move(fine).error());
  }
  if (command.no_controllers) {
    Result<void> fine =
        reject({{"--nodes", command.nodes.has_value()}}, "--no-controllers", "sandbox");
    if (!fine) return std::unexpected(std::move(fine).error());
  }
  if (command.relay.empty()) return command;
  Result<void> fine = reject({{"--tls", command.tls},
                              {"--token", !command.global.config.overrides.token.empty()},
                              {"--kubeconfig-out", !command.kubeconfig_out.empty()},
                              {"--name", !command.name.empty()},
                              {"--scenario", !command.scenario.empty()},
                              {"--load", !command.load.empty()},
                              {"--data", !command.data.empty()},
                              {"--nodes", command.nodes.has_value()},
                              {"--no-controllers", command.no_controllers},
                              {"--speed", command.speed != 1}},
                             "--relay", "sandbox");
  if (!fine) return std::unexpected(std::move(fine).error());
  return command;
}

}  // namespace kinf
