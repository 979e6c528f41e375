// SPDX-License-Identifier: Apache-2.0
// The commands of a command line that need few checks of their own.
#include <fmt/format.h>

#include <algorithm>

#include "kinf/base/duration.h"
#include "kinf/cli/flags/parsed_flags.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {
namespace {

// Each function below rejects flags that do not fit their command.

Result<void> check_sandbox(const SandboxCommand& command) {
  const ReplayFlags& replay = command.global.replay;
  if (replay.from.empty()) return {};
  if (replay.from == "-") return usage("sandbox --from needs a file of kinf record", "sandbox");
  if (!replay.at.empty() && !replay.since.empty()) {
    return usage("--at shows one moment; use --since to play on from it", "sandbox");
  }
  if (command.speed != 1 && replay.since.empty()) {
    return usage("--speed needs --since with --from", "sandbox");
  }
  return {};
}

Result<void> check_demo(const DemoCommand& command, const TypedLine& line) {
  if (line.args.size() > 1) return usage("demo takes one stage", "demo");
  if (!line.args.empty()) {
    if (command.live) return usage("--live shows no stage: run kinf demo --live", "demo");
    if (command.keys) return usage("--keys shows no stage: run kinf demo --keys KEYS", "demo");
    return {};
  }
  if (command.live && command.keys) return usage("choose one of --live and --keys", "demo");
  return reject(line, "--listen --resync --speed --kubeconfig --context --server --in-cluster",
                "demo without a stage");
}

}  // namespace

namespace rows {

Result<void> read_backoff(ParsedFlags& parsed, const FlagRow& /*row*/, const std::string& text) {
  RunLimits& limits = parsed.run.limits;
  const std::size_t dots = text.find("..");
  const Result<Clock::Duration> first = parse_duration_flag(text.substr(0, dots));
  if (!first) return std::unexpected(first.error());
  limits.first_backoff = *first;
  if (dots != std::string::npos) {
    const Result<Clock::Duration> longest = parse_duration_flag(text.substr(dots + 2));
    if (!longest) return std::unexpected(longest.error());
    limits.longest_backoff = *longest;
  }
  if (limits.first_backoff > limits.longest_backoff) {
    return fail(ErrorKind::usage, "MIN is longer than MAX");
  }
  return {};
}

Result<void> read_batch(ParsedFlags& parsed, const FlagRow& row, const std::string& text) {
  parsed.run.as_batch = true;
  return read_value(parsed.run.limits.batch, row, text);
}

}  // namespace rows

Result<CommandLine> run_line(ParsedFlags& parsed) {
  RunCommand& command = parsed.run;
  parsed.informer.state.after_run = true;
  command.global = parsed.global;
  command.informer = parsed.informer;
  command.filter = parsed.filter;
  command.show_secrets = parsed.output.show_secrets;
  command.show_managed_fields = parsed.output.show_managed_fields;
  command.command = parsed.line.trailing;
  Result<void> fine = check_metadata(parsed, command.filter.needs_whole_object());
  if (fine) fine = check_recordings(parsed, true);
  if (!fine) return std::unexpected(std::move(fine).error());
  return command;
}

Result<CommandLine> record_line(ParsedFlags& parsed) {
  parsed.informer.record.is_purpose = true;
  if (parsed.informer.record.file.empty()) {
    return std::unexpected(
        Error(ErrorKind::usage, "no file to record to")
            .with_hint("for example: kinf record pods,events --to incident.kinf"));
  }
  Result<void> fine = check_recordings(parsed, true);
  if (!fine) return std::unexpected(std::move(fine).error());
  return RecordCommand{parsed.global, parsed.informer};
}

Result<CommandLine> demo_line(ParsedFlags& parsed) {
  DemoCommand& command = parsed.demo;
  command.global = parsed.global;
  if (Result<void> fine = check_demo(command, parsed.line); !fine) {
    return std::unexpected(std::move(fine).error());
  }
  if (!parsed.line.args.empty()) command.stage = parsed.line.args.front();
  return command;
}

Result<CommandLine> sandbox_line(ParsedFlags& parsed) {
  SandboxCommand& command = parsed.sandbox;
  command.global = parsed.global;
  command.command = parsed.line.trailing;
  if (Result<void> fine = check_sandbox(command); !fine) {
    return std::unexpected(std::move(fine).error());
  }
  return command;
}

Result<CommandLine> check_line(ParsedFlags& parsed) {
  CheckCommand& command = parsed.check;
  command.global = parsed.global;
  for (const std::string& arg : parsed.line.args) {
    for (std::string& type : split_commas(arg)) command.types.push_back(std::move(type));
  }
  if (command.verify && command.types.empty()) {
    return usage("--verify needs types: kinf check pods --verify", "check");
  }
  return command;
}

Result<CommandLine> api_resources_line(ParsedFlags& parsed) {
  parsed.api_resources.global = parsed.global;
  return parsed.api_resources;
}

Result<CommandLine> completion_line(ParsedFlags& parsed) {
  const std::vector<std::string>& args = parsed.line.args;
  const bool is_known = args.size() == 1 && std::ranges::find(kCompletionShells, args.front()) !=
                                                kCompletionShells.end();
  if (is_known) return CompletionCommand{args.front()};
  return usage("completion takes the name of one shell: bash, zsh or fish", "completion");
}

}  // namespace kinf
