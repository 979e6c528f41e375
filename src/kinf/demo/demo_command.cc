// SPDX-License-Identifier: Apache-2.0
// kinf demo: runs one stage. Without a stage, starts the tour if stdin and stdout are terminals,
// and otherwise lists the stages.

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "kinf/cli/flags/sandbox_flags.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/demo/demo_run.h"
#include "kinf/demo/live/live.h"
#include "kinf/demo/stages/stage.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;

Error unknown_stage(const std::string& name) {
  Error error(ErrorKind::usage, fmt::format("unknown stage \"{}\"", name));
  error.hint = "available stages:";
  for (const DemoStage& stage : demo_stages()) error.hint.append(" ").append(stage.name);
  return error;
}

/// Rejects flags that have no effect in this stage.
Result<void> check_flags(const DemoStage& stage, const DemoCommand& command) {
  const ConfigFlags& config = command.global.config;
  const ConfigOverrides& overrides = config.overrides;
  const bool has_server = stage.server != StageServer::none;
  const bool takes_any = has_server && stage.server != StageServer::sandbox_only;
  const std::array<std::pair<std::string_view, bool>, 11> wrong = {
      {{"--listen", command.listen && !stage.has_listen},
       {"--resync", command.resync && !stage.has_resync},
       {"--queue", command.queue && stage.queue == StageQueue::none},
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
    if (flag == "--queue") error.hint = "this stage has no queue, or needs the one in order";
    if (!takes_any && flag != "--listen" && flag != "--resync" && flag != "--queue" &&
        flag != "--speed") {
      error.hint = has_server ? "this stage runs on a sandbox only" : "this stage needs no server";
    }
    return std::unexpected(std::move(error));
  }
  return {};
}

Result<ExitCode> list_stages(const CommandContext& context) {
  FileWriter out(STDOUT_FILENO, &context.exit_request);
  return out.write(stage_list()) ? ExitCode::ok : out.exit_code();
}

/// The interval at which read_line() checks for stop.
constexpr int kPollMilliseconds = 100;

/// Waits for a line on stdin, and stores it in `read` unless that is null. Returns false if the
/// line begins with `q`, at the end of the input, and on stop.
bool read_line(const std::stop_token& stop, std::string* read = nullptr) {
  std::string line;
  while (!stop.stop_requested()) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, kPollMilliseconds) <= 0) continue;
    std::array<char, 64> buffer{};
    const ssize_t size = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (size <= 0) return false;
    line.append(buffer.data(), static_cast<std::size_t>(size));
    if (line.size() > 4096 || line.find('\n') != std::string::npos) break;
  }
  if (read != nullptr) *read = line;
  return !stop.stop_requested() && !line.starts_with('q');
}

/// What the tour says at its end.
constexpr std::string_view kNext =
    "\nThat was the tour. What to do next:\n"
    "  kinf demo --live                the same diagram, without questions\n"
    "  kinf demo informer --explain    the same on an API server, with the lines of the source\n"
    "  kinf watch pods --sandbox       what an informer tells a person\n"
    "  man kinf-demo, doc/informers.md  all of it to read\n";

/// Runs the tour: visits every stage that has a question, and shows the answer afterwards. Runs a
/// stage as text if the diagram cannot show it. `q` or the end of the input ends the tour.
class Tour {
 public:
  Tour(const DemoCommand& command, const CommandContext& context)
      : command_(command), context_(context) {
    for (const DemoStage& stage : demo_stages()) {
      if (!stage.question.empty()) stages_.push_back(&stage);
    }
  }

  Result<void> run() {
    say(stage_list());
    say(fmt::format("\nThe tour asks {} questions about them. [Enter starts it, q ends it] ",
                    stages_.size()));
    if (!read_line(context_.stop)) return {};
    const auto first = std::ranges::find(stages_, command_.stage, &DemoStage::name);
    const std::size_t start =
        first == stages_.end() ? 0 : static_cast<std::size_t>(first - stages_.begin());
    for (std::size_t i = start; i < stages_.size() && !context_.stop.stop_requested(); ++i) {
      const Result<bool> goes_on = visit(*stages_[i], fmt::format("{}/{}", i + 1, stages_.size()));
      if (!goes_on) return std::unexpected(goes_on.error());
      if (!*goes_on) return {};
    }
    if (!context_.stop.stop_requested()) say(std::string(kNext));
    return {};
  }

 private:
  /// Shows or runs one stage. `number` is its position, such as `3/17`. Returns false if the tour
  /// has ended.
  Result<bool> visit(const DemoStage& stage, const std::string& number) {
    const SceneEnd end = show(stage, fmt::format("kinf demo {} {}", number, stage.name));
    // Print the question and the answer, so that they stay on the terminal after the diagram has
    // closed.
    say(fmt::format("\n{}  {}: {}\n\n{}\n", number, stage.name, stage.summary, stage.question));
    const Guesses* const guesses = find_guesses(stage.name);
    if (guesses != nullptr) say(guesses_text(*guesses) + "\n");
    if (end == SceneEnd::quit) return false;
    if (end == SceneEnd::not_shown) {
      say("\n[1, 2 or 3 guesses and runs it, Enter runs it, q ends the tour] ");
      std::string guess;
      if (!read_line(context_.stop, &guess)) return false;
      if (const Result<void> done = run(stage); !done) return std::unexpected(done.error());
      if (context_.stop.stop_requested()) return false;
      if (guesses != nullptr && !guess.empty() && guess[0] >= '1' && guess[0] <= '3') {
        say(fmt::format("\n{}", verdict(*guesses, static_cast<std::size_t>(guess[0] - '0'))));
      }
    }
    say(fmt::format("\n{}\n", stage.answer));
    return true;
  }

  /// Shows the scene of a stage in the diagram. `heading` contains the number and name of the
  /// stage.
  SceneEnd show(const DemoStage& stage, std::string heading) {
    if (!stage.scene) return SceneEnd::not_shown;
    return show_scene(*stage.scene,
                      {std::move(heading), stage.question, stage.answer, find_guesses(stage.name)},
                      wants_colour(command_.global, context_.environment),
                      command_.queue.value_or(QueueKind::delta), context_);
  }

  /// Runs a stage as text, because the diagram cannot show it.
  Result<void> run(const DemoStage& stage) {
    DemoCommand step;
    step.explain = command_.explain;
    step.speed = 4;
    step.resync = 2s;
    return run_stage(stage, step, context_);
  }

  void say(const std::string& text) {
    if (!out_.write(text)) context_.exit_request.set(out_.exit_code());
  }

  const DemoCommand& command_;
  const CommandContext& context_;
  std::vector<const DemoStage*> stages_;
  FileWriter out_{STDOUT_FILENO, &context_.exit_request};
};

Result<ExitCode> start_tour(const DemoCommand& command, const CommandContext& context) {
  const Result<void> done = Tour(command, context).run();
  if (!done && !context.exit_request.code()) return std::unexpected(done.error());
  return context.exit_request.code().value_or(ExitCode::ok);
}

}  // namespace

Result<ExitCode> run_command(const DemoCommand& command, const CommandContext& context) {
  const QueueKind queue = command.queue.value_or(QueueKind::delta);
  const DemoStage* const stage = find_stage(command.stage);
  if (!command.stage.empty() && stage == nullptr) {
    return std::unexpected(unknown_stage(command.stage));
  }
  if (command.live) {
    return live_demo(wants_colour(command.global, context.environment), queue, context);
  }
  if (command.screen) {
    return print_screen(*command.screen, stage, command.keys.value_or(""), queue, context);
  }
  if (command.keys) return trace_keys(*command.keys, queue, context);
  const Environment& environment = context.environment;
  const bool has_terminal = environment.stdin_is_terminal && environment.stdout_is_terminal;
  if (command.tour && !has_terminal) {
    return std::unexpected(
        Error(ErrorKind::usage, "--tour needs a terminal for its input and output")
            .with_hint("kinf demo STAGE shows one part of an informer without one"));
  }
  if (command.tour || (command.stage.empty() && has_terminal)) return start_tour(command, context);
  if (command.stage.empty()) return list_stages(context);
  if (const Result<void> fine = check_flags(*stage, command); !fine) {
    return std::unexpected(fine.error());
  }
  const Result<void> done = run_stage(*stage, command, context);
  if (!done && !context.exit_request.code()) return std::unexpected(done.error());
  return context.exit_request.code().value_or(ExitCode::ok);
}

}  // namespace kinf
