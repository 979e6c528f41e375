// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "kinf/base/duration.h"
#include "kinf/base/parse_number.h"
#include "kinf/cli/flags.h"
#include "kinf/client/similar_names.h"
#include "kinf/query/trim_paths.h"

namespace kinf {
namespace {

/// The values that the parser writes. A command line has one command, so commands share fields.
struct Parsed {
  GlobalFlags global;
  WatchCommand watch;  ///< also holds the flags of get
  IndexCommand index;
  RunCommand run;
  WaitCommand wait;
  RecordCommand record;
  DemoCommand demo;
  SandboxCommand sandbox;
  std::vector<std::string> args;
  OutputTexts texts;
  std::vector<std::string> by;
  std::vector<std::string> where;
  WatchExpressions expressions;
  std::vector<std::string> changed;  ///< of run
  WaitTexts waits;
  std::optional<bool> watch_flag;
  bool help = false;
  bool version = false;
};

constexpr std::array<std::string_view, 11> kCommands = {"watch",   "get",     "index",   "wait",
                                                        "run",     "record",  "history", "demo",
                                                        "sandbox", "version", "help"};

/// Flags whose value is optional, with the default value.
struct OptionalValue {
  std::string_view flag;
  std::string_view value;
};
constexpr std::array<OptionalValue, 7> kOptionalValues = {
    {{"--sandbox", "nettool"},
     {"--output-watch-events", "true"},
     {"--allow-missing-template-keys", "true"},
     {"--server-print", "true"},
     {"--diff", "lines"},
     {"--metadata", "true"},
     {"--timestamps", "short"}}};

/// Rewrites `argument` if CLI11 would misread it: adds the default of an optional value, which
/// would otherwise consume the type after it; adds the level to a bare `-v`; and removes the `=` of
/// `-n=shop`, which kubectl accepts. `next` is the argument after it.
std::string normalize_argument(const std::string& argument, std::string_view next) {
  for (const OptionalValue& optional : kOptionalValues) {
    if (argument == optional.flag) return fmt::format("{}={}", optional.flag, optional.value);
  }
  if ((argument == "-v" || argument == "--v") && !parse_number<int>(next)) return "--v=2";
  if (argument.size() > 3 && argument[0] == '-' && argument[1] != '-' && argument[2] == '=') {
    return argument.substr(0, 2) + argument.substr(3);
  }
  return argument;
}

/// Rewrites -d and -t, whose values are optional, in a group of short flags such as `-wtd=yaml` as
/// long flags. kSwitches holds the other short flags of watch and get that have no value. After any
/// other flag, the rest of the group is its value.
void add_normalized(const std::string& argument, std::string_view next,
                    std::vector<std::string>& result) {
  constexpr std::string_view kSwitches = "Aqhw";
  if (argument.size() < 2 || argument[0] != '-' || argument[1] == '-') {
    result.push_back(normalize_argument(argument, next));
    return;
  }
  std::string rest = "-";
  for (std::size_t i = 1; i < argument.size(); ++i) {
    const char flag = argument[i];
    if (flag == 'd' || flag == 't') {
      const std::string name = flag == 'd' ? "--diff" : "--timestamps";
      const bool has_value = argument.substr(i + 1, 1) == "=";
      result.push_back(normalize_argument(name + (has_value ? argument.substr(i + 1) : ""), ""));
      if (has_value) break;
    } else if (kSwitches.find(flag) != std::string_view::npos) {
      rest += flag;
    } else {
      rest += argument.substr(i);
      break;
    }
  }
  if (rest.size() > 1) result.push_back(normalize_argument(rest, next));
}

/// Declares the global flags and the flags of each command whose name is in `arguments`. Skips the
/// other commands to save startup time.
void declare_flags(CLI::App& app, const std::vector<std::string>& arguments, Parsed& parsed) {
  app.set_help_flag();
  app.require_subcommand(0, 1);
  add_global_flags(app, parsed.global);
  app.add_flag("-h,--help", parsed.help);
  app.add_flag("--version", parsed.version);
  const auto command = [&](std::string_view name, const auto& add_flags) {
    CLI::App& added = *app.add_subcommand(std::string(name));
    added.set_help_flag();
    added.fallthrough();
    if (std::ranges::find(arguments, name) == arguments.end()) return;
    add_flags(added);
    if (name != "version" && name != "sandbox") added.add_option("args", parsed.args);
  };
  const auto add_watch_and_get_flags = [&](CLI::App& watch) {
    add_informer_flags(watch, parsed.watch.informer, parsed.where);
    add_parts_flags(watch, parsed.watch.informer);
    add_queue_flags(watch, parsed.watch.informer);
    add_replay_flags(watch, parsed.global.replay);
    add_recording_flag(watch, parsed.watch.informer.record);
    add_state_flag(watch, parsed.watch.informer.state);
    add_output_flags(watch, parsed.watch.output, parsed.texts);
    add_watch_flags(watch, parsed.watch, parsed.expressions);
    watch.add_flag_function("-w,--watch",
                            [&](std::int64_t count) { parsed.watch_flag = count > 0; });
  };
  command("watch", add_watch_and_get_flags);
  command("get", add_watch_and_get_flags);
  command("index", [&](CLI::App& index) {
    add_informer_flags(index, parsed.index.informer, parsed.where);
    add_parts_flags(index, parsed.index.informer);
    add_queue_flags(index, parsed.index.informer);
    add_replay_flags(index, parsed.global.replay);
    add_recording_flag(index, parsed.index.informer.record);
    add_output_flags(index, parsed.index.output, parsed.texts);
    add_index_flags(index, parsed.index, parsed.by);
  });
  command("run", [&](CLI::App& run) {
    add_informer_flags(run, parsed.run.informer, parsed.where);
    add_parts_flags(run, parsed.run.informer);
    add_queue_flags(run, parsed.run.informer);
    add_replay_flags(run, parsed.global.replay);
    add_recording_flag(run, parsed.run.informer.record);
    add_state_flag(run, parsed.run.informer.state);
    add_run_flags(run, parsed.run, parsed.changed);
  });
  command("wait", [&](CLI::App& wait) {
    add_informer_flags(wait, parsed.wait.informer, parsed.where);
    add_parts_flags(wait, parsed.wait.informer);
    add_replay_flags(wait, parsed.global.replay);
    add_recording_flag(wait, parsed.wait.informer.record);
    add_wait_flags(wait, parsed.wait, parsed.waits);
  });
  command("record", [&](CLI::App& record) {
    add_informer_flags(record, parsed.record.informer, parsed.where);
    add_record_flags(record, parsed.record.informer.record);
  });
  command("history", [&](CLI::App& history) {
    add_informer_flags(history, parsed.watch.informer, parsed.where);
    add_replay_flags(history, parsed.global.replay);
    add_history_flags(history, parsed.watch, parsed.texts);
  });
  command("demo", [&](CLI::App& demo) { add_demo_flags(demo, parsed.demo); });
  command("sandbox", [&](CLI::App& sandbox) {
    add_sandbox_flags(sandbox, parsed.sandbox);
    add_moment_flags(sandbox, parsed.global.replay);
  });
  command("version", [](CLI::App&) {});
  command("help", [](CLI::App&) {});
}

std::unexpected<Error> usage(std::string message, std::string_view command) {
  Error error(ErrorKind::usage, std::move(message));
  error.hint = command.empty() ? "kinf --help lists the commands"
                               : fmt::format("kinf {} --help lists the flags", command);
  return std::unexpected(std::move(error));
}

/// A flag, and whether it is given.
using GivenFlag = std::pair<const char*, bool>;

/// Rejects flags that do not fit `other`, a flag or a command.
Result<void> reject(std::initializer_list<GivenFlag> flags, std::string_view other,
                    std::string_view command) {
  for (const auto& [flag, is_given] : flags) {
    if (is_given) return usage(fmt::format("{} cannot be used with {}", flag, other), command);
  }
  return {};
}

/// Returns the candidate closest to `word`, or an empty string if none is close.
template <class Candidates>
std::string did_you_mean(std::string_view word, const Candidates& candidates) {
  std::string best;
  std::size_t limit = word.size() <= 3 ? 2 : 3;  // the distance must be below this
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < limit) {
      limit = distance;
      best = candidate;
    }
  }
  return best;
}

std::unexpected<Error> unknown_command(std::string_view word) {
  constexpr std::array<std::string_view, 15> kKubectlCommands = {
      "annotate", "apply", "create", "debug", "delete", "describe",      "edit",   "exec",
      "explain",  "label", "logs",   "patch", "scale",  "api-resources", "rollout"};
  auto failure = usage(fmt::format("unknown command \"{}\" for \"kinf\"", word), "");
  std::string& hint = failure.error().hint;
  if (std::ranges::find(kKubectlCommands, word) != kKubectlCommands.end()) {
    hint = fmt::format("use kubectl: kubectl {};  {}", word, hint);
  } else if (const std::string near = did_you_mean(word, kCommands); !near.empty()) {
    hint = fmt::format("did you mean \"{}\"?  {}", near, hint);
  } else {
    hint += fmt::format("; to list a resource type: kinf get {}", word);
  }
  return failure;
}

std::unexpected<Error> unknown_flag(const CLI::App& app, std::string_view flag,
                                    std::string_view command) {
  std::vector<std::string> known;
  const auto add_flags_of = [&](const CLI::App& one) {
    for (const CLI::Option* option : one.get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  };
  add_flags_of(app);
  for (const CLI::App* one : app.get_subcommands()) add_flags_of(*one);
  auto failure = usage(fmt::format("unknown flag: {}", flag), command);
  std::string& hint = failure.error().hint;
  const std::string near = did_you_mean(flag, known);
  if (!near.empty()) hint = fmt::format("did you mean {}?  {}", near, hint);
  return failure;
}

/// Converts an error of CLI11 to kubectl's wording.
std::unexpected<Error> parse_error(const CLI::App& app, const CLI::ParseError& error,
                                   std::string_view command) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> unknown = app.remaining(true);
    const auto is_flag = [](const std::string& word) {
      return word.size() > 1 && word.starts_with('-');
    };
    // Without a command, its flags are unknown too. Report the command.
    const auto argument = std::ranges::find_if_not(unknown, is_flag);
    if (command.empty() && argument != unknown.end()) return unknown_command(*argument);
    const auto flag = std::ranges::find_if(unknown, is_flag);
    if (flag == unknown.end()) {
      return usage(fmt::format("unexpected argument \"{}\"", *argument), command);
    }
    if (flag->starts_with("--"))
      return unknown_flag(app, flag->substr(0, flag->find('=')), command);
    return usage(fmt::format("unknown shorthand flag: '{}' in {}", (*flag)[1], *flag), command);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return usage("flag needs an argument: " + text.substr(0, text.find(':')), command);
  }
  return usage(text, command);
}

/// Sets InformerFlags::trim. Rejects an expression outside metadata with --metadata; `reads_more`
/// says whether there is one.
Result<void> check_parts(InformerFlags& flags, bool show_managed_fields, bool reads_more,
                         std::string_view command) {
  Result<std::shared_ptr<const ObjectTrim>> trim =
      parse_trim(flags.drop, flags.keep, show_managed_fields);
  if (!trim) return usage(trim.error().message, command);
  flags.trim = *std::move(trim);
  if (flags.metadata == MetadataMode::on && reads_more) {
    return usage("with --metadata, only paths in .metadata can be used", command);
  }
  return {};
}

/// Rejects --at and --since without --from.
Result<void> check_moment(const ReplayFlags& replay, std::string_view command) {
  if (!replay.from.empty()) return {};
  if (!replay.at.empty()) return usage("--at needs --from", command);
  if (!replay.since.empty()) return usage("--since needs --from", command);
  return {};
}

/// Rejects flags that do not fit a recording that is read. `watches`: the command follows changes.
Result<void> check_replay(const GlobalFlags& global, const InformerFlags& flags, bool watches,
                          std::string_view command) {
  const ReplayFlags& replay = global.replay;
  if (replay.from.empty()) {
    if (!replay.until_time.empty()) return usage("--until-time needs --from", command);
    if (replay.speed) return usage("--speed needs --from", command);
    return check_moment(replay, command);
  }
  if (!replay.at.empty() && watches) {
    return usage("--at shows one moment; use --since to watch from it on", command);
  }
  if (!replay.since.empty() && !watches) {
    return usage("--since needs --watch; use --at to show one moment", command);
  }
  if (!replay.until_time.empty() && !watches) {
    return usage("--until-time needs --watch; use --at to show one moment", command);
  }
  if (replay.speed && !watches) return usage("--speed needs --watch", command);
  const ConfigOverrides& overrides = global.config.overrides;
  return reject({{"--sandbox", global.sandbox.has_value()},
                 {"--kubeconfig", !global.config.kubeconfig.empty()},
                 {"--context", !overrides.context.empty()},
                 {"--cluster", !overrides.cluster.empty()},
                 {"--user", !overrides.user.empty()},
                 {"--server", !overrides.server.empty()},
                 {"--token", !overrides.token.empty()},
                 {"--in-cluster", global.config.in_cluster},
                 {"--record", !flags.record.file.empty()},
                 {"--resync", flags.resync.count() > 0},
                 {"--wait-for-type", flags.wait_for_type},
                 {"--owner", !flags.owner.empty()},
                 {"--namespace-selector", !flags.namespace_selector.empty()}},
                "--from", command);
}

/// Rejects flags that do not fit a recording that is written. `watches`: the command follows
/// changes.
Result<void> check_recording(const GlobalFlags& global, const InformerFlags& flags, bool watches,
                             std::string_view command) {
  if (flags.record.file.empty()) return {};
  const std::string flag = command == "record" ? "record" : "--record";
  if (!watches) return usage("--record needs --watch", command);
  if (global.config.overrides.context.find(',') != std::string::npos) {
    return usage(flag + " cannot be used with several contexts", command);
  }
  if (flags.wait_for_type && command != "record") {
    return usage("--wait-for-type cannot be used with --record; use kinf record", command);
  }
  return {};
}

/// Rejects flags that do not fit a state. `watches`: the command follows changes.
Result<void> check_state(const GlobalFlags& global, const InformerFlags& flags, bool watches,
                         std::string_view command) {
  if (flags.state.file.empty()) return {};
  if (!watches) return usage("--state needs --watch", command);
  if (global.config.overrides.context.find(',') != std::string::npos) {
    return usage("--state cannot be used with several contexts; run kinf once for each", command);
  }
  return reject({{"--sandbox", global.sandbox.has_value()},  // is a new server each time
                 {"--from", !global.replay.from.empty()},
                 {"--wait-for-type", flags.wait_for_type},
                 {"--accessible", flags.accessible},
                 {"--owner", !flags.owner.empty()},
                 {"--namespace-selector", !flags.namespace_selector.empty()}},
                "--state", command);
}

/// Parses -o and the JSONPaths of --sort-by.
Result<void> take_output(OutputFlags& output, const std::string& format, const std::string& sort_by,
                         std::string_view command) {
  Result<OutputForm> form = parse_output(format, command == "index");
  if (!form) {
    return form.error().hint.empty() ? usage(form.error().message, command)
                                     : std::unexpected(std::move(form).error());
  }
  static_cast<OutputForm&>(output) = *std::move(form);
  if (sort_by.empty()) return {};
  Result<SortOrder> order = SortOrder::parse(sort_by);
  if (!order) return usage(fmt::format("--sort-by: {}", order.error().message), command);
  output.sort = *std::move(order);
  return {};
}

/// Parses --sort-by of `kinf index`: `count` and `value` for groups, or JSONPaths for objects.
Result<void> take_index_output(IndexCommand& command, const OutputTexts& texts) {
  const bool is_word = texts.sort_by == "count" || texts.sort_by == "value";
  command.order = texts.sort_by == "value" ? GroupOrder::value : GroupOrder::count;
  return take_output(command.output, texts.output, is_word ? "" : texts.sort_by, "index");
}

Result<CommandLine> index_line(Parsed& parsed) {
  if (parsed.index.informer.types.size() > 1) return usage("index takes exactly one type", "index");
  for (const std::string& text : parsed.by) {
    Result<IndexSpec> spec = IndexSpec::parse(text);
    if (!spec) return std::unexpected(std::move(spec).error());
    parsed.index.by.push_back(*std::move(spec));
  }
  if (Result<void> taken = take_index_output(parsed.index, parsed.texts); !taken) {
    return std::unexpected(std::move(taken).error());
  }
  if (parsed.index.informer.resync.count() > 0 && !parsed.index.watch) {
    return usage("--resync needs --watch", "index");
  }
  const bool reads_more = std::ranges::any_of(parsed.index.by, &IndexSpec::needs_whole_object);
  Result<void> fine = check_parts(parsed.index.informer, parsed.index.output.show_managed_fields,
                                  reads_more, "index");
  if (fine) {
    fine = check_replay(parsed.index.global, parsed.index.informer, parsed.index.watch, "index");
  }
  parsed.index.informer.record.show_secrets = parsed.index.output.show_secrets;
  if (fine) {
    fine = check_recording(parsed.index.global, parsed.index.informer, parsed.index.watch, "index");
  }
  if (!fine) return std::unexpected(std::move(fine).error());
  return parsed.index;
}

Result<CommandLine> run_line(Parsed& parsed) {
  Result<UpdateFilter> filter = UpdateFilter::parse(parsed.changed, {});
  if (!filter) return usage(filter.error().message, "run");
  parsed.run.filter = *std::move(filter);
  Result<void> fine = check_parts(parsed.run.informer, parsed.run.show_managed_fields,
                                  parsed.run.filter.needs_whole_object(), "run");
  parsed.run.informer.record.show_secrets = parsed.run.show_secrets;
  if (fine) fine = check_replay(parsed.run.global, parsed.run.informer, true, "run");
  if (fine) fine = check_recording(parsed.run.global, parsed.run.informer, true, "run");
  parsed.run.informer.state.show_secrets = parsed.run.show_secrets;
  parsed.run.informer.state.after_run = true;
  if (fine) fine = check_state(parsed.run.global, parsed.run.informer, true, "run");
  if (!fine) return std::unexpected(std::move(fine).error());
  return parsed.run;
}

/// Rejects goals that can never be met.
Result<void> check_goal(const WaitCommand& command) {
  const WaitGoal& goal = command.goal;
  if (goal.duration == Clock::Duration::zero()) return {};
  if (!command.global.replay.from.empty()) {
    return usage("--for-duration cannot be used with --from, which is not played in time", "wait");
  }
  if (goal.ever) return usage("--for-duration cannot be used with --ever", "wait");
  if (goal.duration >= command.timeout) {
    Error error(ErrorKind::usage,
                fmt::format("--for-duration {} needs a longer --timeout than {}",
                            duration_text(goal.duration), duration_text(command.timeout)));
    error.hint = "for example --timeout 10m, or --timeout=-1s for a week";
    return std::unexpected(std::move(error));
  }
  return {};
}

/// Rejects types without names, unless a flag selects the objects.
Result<void> check_selected(const WaitCommand& command) {
  const InformerFlags& flags = command.informer;
  const bool is_selected = command.all || command.goal.count || !flags.selector.empty() ||
                           !flags.field_selector.empty() || flags.where ||
                           !flags.namespace_selector.empty() || !flags.owner.empty();
  const bool is_named = std::ranges::none_of(
      flags.types, [](const RequestedType& type) { return type.names.empty(); });
  if (is_selected || is_named) return {};
  Error error(ErrorKind::usage, "resource(s) were provided, but no name was specified");
  error.hint = "add names, -l LABELS or --all";
  return std::unexpected(std::move(error));
}

/// Parses -o. The formats are those of kubectl wait.
Result<void> take_wait_output(WaitCommand& command, const std::string& format) {
  if (format.empty()) return {};
  command.has_output = true;
  OutputFlags& output = command.output;
  Result<void> taken = take_output(output, format, "", "wait");
  if (!taken) return taken;
  if (output.is_document() || output.jsonpath || output.format == OutputFormat::name) return {};
  return usage(fmt::format("-o {} cannot be used with wait, only json, yaml, name, jsonpath=, "
                           "jsonpath-as-json= and jsonpath-file=",
                           format_word(output.format)),
               "wait");
}

/// The end of a recording or stream ends the command too, so that no other limit is needed.
void take_timeout(WaitCommand& command, const std::optional<Clock::Duration>& given) {
  constexpr std::chrono::hours kWeek{24 * 7};
  if (!command.global.replay.from.empty()) command.timeout = kWeek;
  command.timeout = given.value_or(command.timeout);
}

Result<CommandLine> wait_line(Parsed& parsed) {
  WaitCommand& command = parsed.wait;
  std::vector<std::string>& texts = parsed.waits.conditions;
  if (texts.empty() && command.goal.count) texts.emplace_back("create");
  if (texts.empty()) {
    Error error(ErrorKind::usage, "no condition to wait for");
    error.hint = "for example: --for=condition=Ready";
    return std::unexpected(std::move(error));
  }
  Result<std::vector<Condition>> conditions = parse_conditions(texts, "--for");
  if (!conditions) return std::unexpected(std::move(conditions).error());
  command.goal.conditions = *std::move(conditions);
  Result<std::vector<Condition>> failures = parse_conditions(parsed.waits.failures, "--fail-on");
  if (!failures) return std::unexpected(std::move(failures).error());
  command.goal.failures = *std::move(failures);
  take_timeout(command, parsed.waits.timeout);
  Result<void> fine = check_selected(command);
  if (fine) fine = check_goal(command);
  if (fine) fine = take_wait_output(command, parsed.waits.output);
  if (fine) {
    fine = check_parts(command.informer, command.output.show_managed_fields, false, "wait");
  }
  command.informer.record.show_secrets = command.output.show_secrets;
  if (fine) fine = check_replay(command.global, command.informer, true, "wait");
  if (fine) fine = check_recording(command.global, command.informer, true, "wait");
  if (!fine) return std::unexpected(std::move(fine).error());
  if (command.informer.metadata == MetadataMode::on && command.goal.needs_status()) {
    return usage("--metadata requests no status, which condition= needs", "wait");
  }
  return command;
}

Result<CommandLine> record_line(Parsed& parsed) {
  RecordCommand& command = parsed.record;
  command.informer.record.is_purpose = true;
  if (command.informer.record.file.empty()) {
    Error error(ErrorKind::usage, "no file to record to");
    error.hint = "for example: kinf record pods,events --to incident.kinf";
    return std::unexpected(std::move(error));
  }
  Result<void> fine =
      reject({{"--where", command.informer.where != nullptr},
              {"--must-exist", command.informer.must_exist},
              {"--owner", !command.informer.owner.empty()},
              {"--namespace-selector", !command.informer.namespace_selector.empty()}},
             "record", "record");
  if (fine) fine = check_recording(command.global, command.informer, true, "record");
  if (!fine) return std::unexpected(std::move(fine).error());
  return command;
}

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

/// Rejects flags of the embedded server with --relay, which starts no such server.
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

/// Rejects flags that the output format does not support.
Result<void> check_output(const WatchCommand& command, std::string_view name) {
  const OutputFlags& output = command.output;
  const bool is_document = output.is_document();
  const bool prints_event =
      (is_document || output.jsonpath) && command.output_watch_events.value_or(is_document);
  const bool in_event = output.diff || output.show_old;
  if (output.format == OutputFormat::name && command.with_events) {
    return usage("--with-events cannot be shown with -o name", name);
  }
  const std::string_view flag = output.diff ? "--diff" : "--show-old";
  if (in_event && is_document && !prints_event) {
    return usage(fmt::format("{} cannot be shown with --output-watch-events=false", flag), name);
  }
  if (in_event && output.jsonpath && !prints_event) {
    return usage(fmt::format("{} needs --output-watch-events with -o jsonpath", flag), name);
  }
  if (in_event && !prints_event && !output.is_table()) {
    return usage(fmt::format("{} cannot be shown with -o {}", flag, format_word(output.format)),
                 name);
  }
  if (command.bookmarks != Bookmarks::none && !(is_document && prints_event)) {
    return usage("--bookmarks needs the events of -o json or -o yaml", name);
  }
  if (command.bookmarks == Bookmarks::all && command.latest) {
    return usage("--bookmarks=all cannot be used with --latest", name);
  }
  if (output.show_old && !prints_event) return usage("--show-old needs -o json or -o yaml", name);
  if (output.time_form && !is_document && !output.has_cells() && !output.columns) {
    return usage(fmt::format("--timestamps cannot be shown with -o {}", format_word(output.format)),
                 name);
  }
  return {};
}

/// Rejects flags that change nothing in the output format.
Result<void> check_table_flags(const OutputFlags& output, std::string_view name) {
  if (output.group && !output.is_table()) return usage("--group needs -o table or wide", name);
  return {};
}

/// Compiles --changed, --ignore, --jq and --until.
Result<void> parse_expressions(const WatchExpressions& texts, WatchCommand& command,
                               std::string_view name) {
  Result<UpdateFilter> filter = UpdateFilter::parse(texts.changed, texts.ignored);
  if (!filter) return usage(filter.error().message, name);
  command.filter = *std::move(filter);
  if (texts.jq) {
    OutputFormat& format = command.output.format;
    if (format == OutputFormat::table) format = OutputFormat::json;
    if (format != OutputFormat::json) return usage("--jq can only be used with -o json", name);
    Result<Jq> program = Jq::compile(*texts.jq);
    if (!program) return std::unexpected(std::move(program).error().within("--jq"));
    command.output.jq = std::make_shared<Jq>(*std::move(program));
  }
  if (texts.until) {
    Result<std::shared_ptr<Until>> until = Until::parse(*texts.until);
    if (!until) return std::unexpected(std::move(until).error());
    command.until = *std::move(until);
  }
  return {};
}

/// Checks `get` and `watch`. Rejects flags that need --watch if the command only prints once.
Result<CommandLine> watch_line(Parsed& parsed, std::string_view name) {
  WatchCommand& command = parsed.watch;
  const bool is_get = name == "get";
  if (!is_get && parsed.watch_flag == false) {
    return usage("--watch=false cannot be used with watch; use kinf get", name);
  }
  if (is_get && command.once && parsed.watch_flag == true) {
    return usage("--once cannot be used with --watch", name);
  }
  command.once = command.once || (is_get && parsed.watch_flag != true);
  const OutputFlags& output = command.output;
  Result<void> taken = take_output(command.output, parsed.texts.output, parsed.texts.sort_by, name);
  if (taken) taken = check_table_flags(output, name);
  if (taken) taken = parse_expressions(parsed.expressions, command, name);
  if (!taken) return std::unexpected(std::move(taken).error());
  // --ignore also works on metadata alone, although it reads all there is.
  Result<UpdateFilter> changed = UpdateFilter::parse(parsed.expressions.changed, {});
  Result<void> fits = check_parts(command.informer, output.show_managed_fields,
                                  changed && changed->needs_whole_object(), name);
  if (fits) fits = check_replay(command.global, command.informer, !command.once, name);
  command.informer.record.show_secrets = output.show_secrets;
  if (fits) fits = check_recording(command.global, command.informer, !command.once, name);
  command.informer.state.show_secrets = output.show_secrets;
  if (fits) fits = check_state(command.global, command.informer, !command.once, name);
  if (!fits) return std::unexpected(std::move(fits).error());
  if (command.informer.metadata == MetadataMode::on && command.until &&
      command.until->needs_status()) {
    return usage("--metadata requests no status, which --until condition= needs", name);
  }
  if (!command.once) {
    if (command.events && command.events->resync && command.informer.resync.count() == 0) {
      return usage("--events resync needs --resync", name);
    }
    if (Result<void> fine = check_output(command, name); !fine) {
      return std::unexpected(std::move(fine).error());
    }
    return command;
  }
  const std::array<std::pair<const char*, bool>, 16> pointless = {
      {{"--resync", command.informer.resync.count() > 0},
       {"--watch-only", command.watch_only},
       {"--bookmarks", command.bookmarks != Bookmarks::none},
       {"--group", output.group},
       {"--diff", output.diff.has_value()},
       {"--show-old", output.show_old},
       {"--changed", !parsed.expressions.changed.empty()},
       {"--ignore", !parsed.expressions.ignored.empty()},
       {"--events", command.events.has_value()},
       {"--until", command.until != nullptr},
       {"--timestamps", output.time_form.has_value()},
       {"--timezone", !output.time_zone.empty()},
       {"--latest", command.latest},
       {"--with-events", command.with_events},
       {"--max-events", command.max_events.has_value()},
       {"--output-watch-events", command.output_watch_events == true}}};
  for (const auto& [flag, given] : pointless) {
    if (given) return usage(fmt::format("{} needs --watch", flag), name);
  }
  if (output.columns && output.columns->shows_events()) {
    return usage("the custom columns EVENT, TIME and OLD need --watch", name);
  }
  return command;
}

Result<CommandLine> history_line(Parsed& parsed) {
  WatchCommand& command = parsed.watch;
  command.is_history = true;
  const std::vector<RequestedType>& types = command.informer.types;
  const bool is_one =
      types.size() == 1 && types.front().names.size() == 1 && !is_glob(types.front().names.front());
  if (!is_one) {
    Error error(ErrorKind::usage, "history takes exactly one object");
    error.hint = "for example: kinf history pod/web-1 --from incident.kinf";
    return std::unexpected(std::move(error));
  }
  Result<void> fits =
      reject({{"--selector", !command.informer.selector.empty()},
              {"--field-selector", !command.informer.field_selector.empty()},
              {"--where", command.informer.where != nullptr},
              {"--owner", !command.informer.owner.empty()},
              {"--namespace-selector", !command.informer.namespace_selector.empty()},
              {"--accessible", command.informer.accessible},
              {"--metadata", command.informer.metadata == MetadataMode::on}},
             "history", "history");
  if (!fits) return std::unexpected(std::move(fits).error());
  return watch_line(parsed, "history");
}

Result<CommandLine> demo_line(Parsed& parsed) {
  DemoCommand& command = parsed.demo;
  command.global = parsed.global;
  if (parsed.args.size() > 1) return usage("demo takes one stage", "demo");
  if (!parsed.args.empty()) {
    command.stage = parsed.args.front();
    if (command.live) return usage("--live shows no stage: run kinf demo --live", "demo");
    return command;
  }
  const ConfigFlags& config = command.global.config;
  if (command.live) {
    Result<void> fits = reject({{"--explain", command.explain},
                                {"--sandbox", command.global.sandbox.has_value()},
                                {"--namespace", !config.overrides.name_space.empty()},
                                {"--all-namespaces", command.global.all_namespaces}},
                               "--live", "demo");
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

/// Returns the parsed command. `trailing` holds the arguments after `--`.
Result<CommandLine> chosen(Parsed& parsed, std::string_view command,
                           const std::vector<std::string>& trailing) {
  std::vector<std::string>& args = parsed.args;
  if (parsed.version) return VersionCommand{};
  if (command.empty() || parsed.help) return HelpCommand{std::string(command)};
  if (command == "help") {
    const std::string topic = args.empty() ? "" : args.front();
    if (!topic.empty() && std::ranges::find(kCommands, topic) == kCommands.end()) {
      return usage(fmt::format("unknown command \"{}\" for \"kinf\"", topic), "");
    }
    return HelpCommand{topic};
  }
  if (command == "version") return VersionCommand{};
  if (command == "sandbox") {
    parsed.sandbox.global = parsed.global;
    parsed.sandbox.command = trailing;
    return sandbox_line(parsed.sandbox);
  }
  if (command == "demo") {
    return demo_line(parsed);
  }
  if (command != "run") {
    args.insert(args.end(), trailing.begin(), trailing.end());
  } else if (trailing.empty()) {
    Error error(ErrorKind::usage, "no command to run");
    error.hint = "put the command after --: kinf run TYPE -- COMMAND ARGUMENT...";
    return std::unexpected(std::move(error));
  }
  const bool takes_all =  // a recording or a stream says which types it holds
      args.empty() && !parsed.global.replay.from.empty() &&
      (command == "watch" || command == "get");
  Result<std::vector<RequestedType>> types =
      takes_all ? std::vector<RequestedType>() : parse_type_args(args);
  if (!types) return std::unexpected(std::move(types).error());
  std::shared_ptr<Where> where;
  if (!parsed.where.empty()) {
    Result<std::shared_ptr<Where>> compiled = Where::parse(parsed.where);
    if (!compiled) return std::unexpected(std::move(compiled).error());
    where = *std::move(compiled);
  }
  const auto set_common = [&](auto& target) {
    target.global = parsed.global;
    target.informer.types = *types;
    target.informer.where = where;
  };
  set_common(parsed.watch);
  set_common(parsed.index);
  set_common(parsed.run);
  set_common(parsed.wait);
  set_common(parsed.record);
  parsed.run.command = trailing;
  if (command == "index") return index_line(parsed);
  if (command == "run") return run_line(parsed);
  if (command == "wait") return wait_line(parsed);
  if (command == "record") return record_line(parsed);
  if (command == "history") return history_line(parsed);
  return watch_line(parsed, command);
}

/// Returns a given global flag that `kinf sandbox` rejects because it only applies to clients, or
/// an empty string.
std::string misplaced_flag(const CLI::App& app) {
  constexpr std::array<std::string_view, 7> kTaken = {
      "--token", "--v", "--quiet", "--color", "--log-format", "--help", "--version"};
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() > 0 && std::ranges::find(kTaken, name) == kTaken.end()) return name;
  }
  return {};
}

}  // namespace

Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments) {
  const auto dashes = std::ranges::find(arguments, "--");
  const auto dashes_at = static_cast<std::size_t>(dashes - arguments.begin());
  const bool watches = std::any_of(arguments.begin(), dashes, [](const std::string& argument) {
    return argument == "watch" || argument == "get" || argument == "history";
  });
  std::vector<std::string> own;
  for (std::size_t i = 0; i < dashes_at; ++i) {
    const std::string next = i + 1 < dashes_at ? arguments[i + 1] : "";
    if (watches) {
      add_normalized(arguments[i], next, own);
    } else {
      own.push_back(normalize_argument(arguments[i], next));
    }
  }
  std::ranges::reverse(own);  // CLI11 takes the arguments in reverse order
  std::vector<std::string> trailing;
  if (dashes != arguments.end()) trailing.assign(dashes + 1, arguments.end());

  Parsed parsed;
  CLI::App app;
  declare_flags(app, own, parsed);
  const auto command = [&]() -> std::string {
    const auto used = app.get_subcommands();
    return used.empty() ? std::string() : used.front()->get_name();
  };
  try {
    app.parse(std::move(own));
  } catch (const CLI::ParseError& error) {
    if (parsed.help) return HelpCommand{command()};
    return parse_error(app, error, command());
  }
  if (const std::string flag = misplaced_flag(app); command() == "sandbox" && !flag.empty()) {
    return usage("unknown flag: " + flag, "sandbox");
  }
  return chosen(parsed, command(), trailing);
}

}  // namespace kinf
