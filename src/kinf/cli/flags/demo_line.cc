// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kinf/cli/flags/command_lines.h"
#include "kinf/cli/flags/flag_checks.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {

Result<CommandLine> demo_line(ParsedFlags& parsed) {
  DemoCommand& command = parsed.demo;
  command.global = parsed.global;
  if (parsed.args.size() > 1) return usage("demo takes one stage", "demo");
  if (!parsed.args.empty()) {
    command.stage = parsed.args.front();
    if (command.live) return usage("--live shows no stage: run kinf demo --live", "demo");
    if (command.keys) return usage("--keys shows no stage: run kinf demo --keys KEYS", "demo");
    return command;
  }
  const ConfigFlags& config = command.global.config;
  if (command.live && command.keys) return usage("choose one of --live and --keys", "demo");
  if (command.live || command.keys) {
    Result<void> fits = reject({{"--explain", command.explain},
                                {"--sandbox", command.global.sandbox.has_value()},
                                {"--namespace", !config.overrides.name_space.empty()},
                                {"--all-namespaces", command.global.all_namespaces}},
                               command.live ? "--live" : "--keys", "demo");
    if (!fits) return std::unexpected(std::move(fits).error());
  }
  Result<void> fine = reject({{"--listen", command.listen.has_value()},
                              {"--resync", command.resync.has_value()},
                              {"--speed", command.speed.has_value()},
                              {"--kubeconfig", !config.kubeconfig.empty()},
                              {"--context", !config.overrides.context.empty()},
                              {"--server", !config.overrides.server.empty()},
                              {"--in-cluster", config.in_cluster}},
                             "demo without a stage", "demo");
  if (!fine) return std::unexpected(std::move(fine).error());
  return command;
}

}  // namespace kinf
