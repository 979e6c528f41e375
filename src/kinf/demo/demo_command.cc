// SPDX-License-Identifier: Apache-2.0
// kinf demo: runs one stage, or without one lists them, on a terminal as a tour.
#include <fmt/format.h>

#include <array>

#include "kinf/demo/demo_run.h"
#include "kinf/demo/key_trace.h"
#include "kinf/demo/live.h"
#include "kinf/demo/tour.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;

Error unknown_stage(const std::string& name) {
  Error error(ErrorKind::usage, fmt::format("unknown stage \"{}\"", name));
  error.hint = "available stages:";
  for (const DemoStage& stage : demo_stages()) error.hint.append(" ").append(stage.name);
  return error;
}

/// Rejects flags that change nothing in this stage.
Result<> check_flags(const DemoStage& stage, const DemoCommand& command) {
  const ConfigFlags& config = command.global.config;
  const ConfigOverrides& overrides = config.overrides;
  const bool has_server = stage.server != StageServer::none;
  const bool takes_any = has_server && stage.server != StageServer::sandbox_only;
  const std::array<std::pair<std::string_view, bool>, 10> wrong = {
      {{"--listen", command.listen && !stage.has_listen},
       {"--resync", command.resync && !stage.has_resync},
       {"--speed", command.speed && stage.server != StageServer::scenario},
       {"--kubeconfig", !config.kubeconfig.empty() && !takes_any},
       {"--context", !overrides.context.empty() && !takes_any},
       {"--server", !overrides.server.empty() && !takes_any},
       {"--in-cluster", config.in_cluster && !takes_any},
       {"--sandbox", command.global.sandbox && !has_server},
       {"--namespace", !overrides.name_space.empty() && !has_server},
       {"--all-namespaces", command.global.all_namespaces && !has_server}}};
  for (const auto& [flag, is_wrong] : wrong) {
    if (!is_wrong) continue;
    Error error(ErrorKind::usage,
                fmt::format("{} cannot be used with the stage {}", flag, stage.name));
    if (!takes_any && flag != "--listen" && flag != "--resync" && flag != "--speed") {
      error.hint = has_server ? "this stage runs on a sandbox only" : "this stage needs no server";
    }
    return std::unexpected(std::move(error));
  }
  return {};
}

Result<> run_stage(const DemoStage& stage, const DemoCommand& command,
                   const CommandContext& context) {
  DemoRun demo(command, context);
  if (Result<> opened = demo.open(stage); !opened) return opened;
  return stage.run(demo);
}

Result<ExitCode> list_stages(const CommandContext& context) {
  FileWriter out(STDOUT_FILENO, &context.exit_request);
  return out.write(stage_list()) ? ExitCode::ok : out.exit_code();
}

Result<ExitCode> start_tour(const DemoCommand& command, const CommandContext& context) {
  TourSteps steps;
  steps.show = [&](const DemoStage& stage, std::string heading) {
    if (!stage.scene) return SceneEnd::not_shown;
    return show_scene(*stage.scene, {std::move(heading), stage.question, stage.answer}, command,
                      context);
  };
  steps.run = [&](const DemoStage& stage) {
    DemoCommand step;
    step.explain = command.explain;
    step.speed = 4;
    step.resync = 2s;
    return run_stage(stage, step, context);
  };
  return tour(context, steps);
}

}  // namespace

Result<ExitCode> demo_command(const DemoCommand& command, const CommandContext& context) {
  if (command.live) return live_demo(command, context);
  if (command.keys) return trace_keys(*command.keys, context);
  if (command.stage.empty()) {
    const Environment& environment = context.environment;
    if (!environment.stdin_is_terminal || !environment.stdout_is_terminal) {
      return list_stages(context);
    }
    return start_tour(command, context);
  }
  const DemoStage* const stage = find_stage(command.stage);
  if (stage == nullptr) return std::unexpected(unknown_stage(command.stage));
  if (const Result<> fine = check_flags(*stage, command); !fine) {
    return std::unexpected(fine.error());
  }
  const Result<> done = run_stage(*stage, command, context);
  if (!done && !context.exit_request.code()) return std::unexpected(done.error());
  return context.exit_request.code().value_or(ExitCode::ok);
}

}  // namespace kinf
