// SPDX-License-Identifier: Apache-2.0
// Makes the commands that need only a few checks of their own.

#include <algorithm>

#include "kinf/base/assign.h"
#include "kinf/base/duration.h"
#include "kinf/cli/flags/command_table.h"
#include "kinf/cli/flags/namespace_filter.h"
#include "kinf/cli/flags/parsed_flags.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {
namespace {

// These functions reject flags that do not fit the command or each other.

Result<void> check_sandbox(const SandboxCommand& command) {
  const ReplayFlags& replay = command.global.replay;
  if (replay.from.empty()) return {};
  return first_conflict(
      "sandbox",
      {{replay.from == "-", "sandbox --from needs a file of kinf record"},
       {!replay.at.empty() && !replay.since.empty(),
        "--at shows one moment; use --since to play on from it"},
       {command.options.speed != 1 && replay.since.empty(), "--speed needs --since with --from"}});
}

Result<void> check_demo(const DemoCommand& command, const TypedLine& line) {
  const std::size_t named = line.args.size() + (command.stage.empty() ? 0 : 1);
  const bool has_stage = named > 0;
  Result<void> fine = first_conflict(
      "demo", {{named > 1, "demo takes one stage"},
               {has_stage && command.live, "--live shows no stage: run kinf demo --live"},
               {has_stage && command.keys && !command.screen,
                "--keys shows no stage: run kinf demo --keys KEYS"},
               {command.live && command.keys, "choose one of --live and --keys"}});
  if (!fine || has_stage) return fine;
  return reject(line, "--listen --resync --speed --kubeconfig --context --server --in-cluster",
                "demo without a stage");
}

}  // namespace

namespace rows {

Result<void> read_backoff(ParsedFlags& parsed, const FlagRow& /*row*/, const std::string& text) {
  RunLimits& limits = parsed.run.limits;
  const std::size_t dots = text.find("..");
  Result<void> done = assign(limits.first_backoff, parse_duration_flag(text.substr(0, dots)));
  if (done && dots != std::string::npos) {
    done = assign(limits.longest_backoff, parse_duration_flag(text.substr(dots + 2)));
  }
  if (done && limits.first_backoff > limits.longest_backoff) {
    return fail(ErrorKind::usage, "MIN is longer than MAX");
  }
  return done;
}

Result<void> read_batch(ParsedFlags& parsed, const FlagRow& row, const std::string& text) {
  parsed.run.as_batch = true;
  return read_value(parsed.run.limits.batch, row, text);
}

}  // namespace rows

Result<CommandLine> run_line(ParsedFlags& parsed) {
  RunCommand& command = parsed.run;
  parsed.informer.state.after_run = true;
  static_cast<InformerCommand&>(command) = {parsed.global, parsed.informer};
  command.filter = parsed.filter;
  command.show_secrets = parsed.output.show_secrets;
  command.show_managed_fields = parsed.output.show_managed_fields;
  command.command = parsed.line.trailing;
  Result<void> fine = check_metadata(parsed, command.filter.needs_whole_object());
  if (fine) fine = check_recordings(parsed, true);
  if (!fine) return fail(fine);
  return command;
}

Result<CommandLine> record_line(ParsedFlags& parsed) {
  parsed.informer.record.is_purpose = true;
  if (parsed.informer.record.file.empty()) {
    return fail(ErrorKind::usage, "no file to record to")
        .with_hint("for example: kinf record pods,events --to incident.kinf");
  }
  Result<void> fine = check_recordings(parsed, true);
  if (!fine) return fail(fine);
  GlobalFlags& global = parsed.global;
  if (parsed.informer.all_types && global.config.overrides.name_space.empty()) {
    global.all_namespaces = true;
  }
  RecordCommand& command = parsed.record;
  static_cast<InformerCommand&>(command) = {parsed.global, parsed.informer};
  return command;
}

Result<CommandLine> demo_line(ParsedFlags& parsed) {
  DemoCommand& command = parsed.demo;
  command.global = parsed.global;
  if (Result<void> fine = check_demo(command, parsed.line); !fine) return fail(fine);
  if (!parsed.line.args.empty()) command.stage = parsed.line.args.front();
  return command;
}

Result<CommandLine> sandbox_line(ParsedFlags& parsed) {
  SandboxCommand& command = parsed.sandbox;
  command.global = parsed.global;
  command.command = parsed.line.trailing;
  if (Result<void> fine = check_sandbox(command); !fine) return fail(fine);
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

Result<CommandLine> info_line(ParsedFlags& parsed) {
  const std::vector<std::string>& args = parsed.line.args;
  if (args.size() != 1) return usage("info takes one recording: kinf info FILE", "info");
  parsed.info.global = parsed.global;
  parsed.info.file = args.front();
  return parsed.info;
}

Result<CommandLine> copy_line(ParsedFlags& parsed) {
  const std::vector<std::string>& args = parsed.line.args;
  if (args.size() != 2) return usage("copy takes two files: kinf copy FROM TO", "copy");
  parsed.copy.global = parsed.global;
  if (const std::string& names = parsed.global.config.overrides.name_space; !names.empty()) {
    const Result<NamespaceFilter> filter = NamespaceFilter::parse(names);
    if (!filter) return fail(filter);
    if (!filter->is_exact()) return usage("-n takes only names with copy", "copy");
    parsed.copy.namespaces = filter->names();
  }
  parsed.copy.from = args.front();
  parsed.copy.to = args.back();
  return parsed.copy;
}

Result<CommandLine> completion_line(ParsedFlags& parsed) {
  const std::vector<std::string>& args = parsed.line.args;
  const bool is_known = args.size() == 1 && std::ranges::find(kCompletionShells, args.front()) !=
                                                kCompletionShells.end();
  if (is_known) return CompletionCommand{args.front()};
  return usage("completion takes the name of one shell: bash, zsh or fish", "completion");
}

}  // namespace kinf
