// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/runtime/environment.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <optional>

#include "kinf/base/ascii.h"
#include "kinf/cli/flags/command_lines.h"
#include "kinf/cli/flags/flag_texts.h"
#include "kinf/cli/flags/flags.h"
#include "kinf/cli/flags/parse_error.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {
namespace {

/// Flags whose value is optional, with the default value.
struct OptionalValue {
  std::string_view flag;
  std::string_view value;
};
constexpr std::array<OptionalValue, 8> kOptionalValues = {
    {{"--sandbox", "nettool"},
     {"--output-watch-events", "true"},
     {"--allow-missing-template-keys", "true"},
     {"--server-print", "true"},
     {"--diff", "lines"},
     {"--metadata", "true"},
     {"--namespaced", "true"},
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

/// Returns whether `argument` is `--flag=`. CLI11 would take the next argument as its value.
bool has_empty_value(const std::string& argument) {
  return argument.starts_with("--") && argument.find('=') == argument.size() - 1;
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

/// Returns `arguments` as CLI11 reads them.
std::vector<std::string> normalized(const std::vector<std::string>& arguments) {
  const bool watches = std::ranges::any_of(arguments, [](const std::string& argument) {
    return argument == "watch" || argument == "get" || argument == "history";
  });
  std::vector<std::string> result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (has_empty_value(arguments[i])) {
      result.push_back(arguments[i].substr(0, arguments[i].size() - 1));
      result.emplace_back();
      continue;
    }
    const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : "";
    if (watches) {
      add_normalized(arguments[i], next, result);
    } else {
      result.push_back(normalize_argument(arguments[i], next));
    }
  }
  return result;
}

/// Returns the command that was read, or an empty text.
std::string command_of(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return used.empty() ? std::string() : used.front()->get_name();
}

/// Reads `arguments`, those before `--`, with CLI11. Errors: usage.
Result<void> read_flags(CLI::App& app, const std::vector<std::string>& arguments,
                        ParsedFlags& parsed) {
  std::vector<std::string> words = normalized(arguments);
  declare_flags(app, words, parsed);
  std::ranges::reverse(words);  // the order that CLI11 takes
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return parse_error(app, error, command_of(app));
  }
  return {};
}

/// Returns the parsed command. `trailing` holds the arguments after `--`.
Result<CommandLine> chosen(ParsedFlags& parsed, std::string_view command,
                           const std::vector<std::string>& trailing) {
  std::vector<std::string>& args = parsed.args;
  if (parsed.version) return VersionCommand{};
  if (command.empty() || parsed.help) return HelpCommand{std::string(command)};
  if (command == "help") {
    const std::string topic = args.empty() ? "" : args.front();
    if (!topic.empty() && !is_command(topic)) {
      return usage(fmt::format("unknown command \"{}\" for \"kinf\"", topic), "");
    }
    return HelpCommand{topic};
  }
  if (command == "version") return VersionCommand{};
  if (Result<void> fine = parse_texts(parsed, command); !fine) {
    return std::unexpected(std::move(fine).error());
  }
  if (command == "sandbox") {
    parsed.sandbox.global = parsed.global;
    parsed.sandbox.command = trailing;
    return sandbox_line(parsed.sandbox);
  }
  if (command == "demo") return demo_line(parsed);
  if (command == "completion") return completion_line(parsed);
  if (command == "check") return check_line(parsed);
  if (command == "api-resources") return api_resources_line(parsed);
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
  const auto set_common = [&](auto& target) {
    target.global = parsed.global;
    target.informer.types = *types;
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
  constexpr std::array<std::string_view, 8> kTaken = {
      "--token", "--v", "--quiet", "--color", "--log-format", "--config", "--help", "--version"};
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() > 0 && std::ranges::find(kTaken, name) == kTaken.end()) return name;
  }
  return {};
}

}  // namespace

bool wants_colour(const GlobalFlags& global, const Environment& environment) {
  if (global.colour != ColourChoice::automatic) return global.colour == ColourChoice::always;
  if (environment.no_colour) return false;
  return environment.force_colour || (environment.stdout_is_terminal && !environment.dumb_terminal);
}

void declare_flags(CLI::App& app, const std::vector<std::string>& arguments, ParsedFlags& parsed) {
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
    add_watch_flags(watch, parsed.watch, parsed.once, parsed.expressions);
    watch.add_flag_function("-w,--watch",
                            [&](std::int64_t count) { parsed.watch_flag = count > 0; });
  };
  command("watch", add_watch_and_get_flags);
  command("get", [&](CLI::App& get) {
    add_watch_and_get_flags(get);
    get.add_flag("--ignore-not-found", parsed.ignore_not_found);
  });
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
  command("check", [&](CLI::App& check) { add_check_flags(check, parsed.check); });
  command("api-resources",
          [&](CLI::App& types) { add_api_resources_flags(types, parsed.api_resources); });
  command("completion", [](CLI::App&) {});
  command("version", [](CLI::App&) {});
  command("help", [](CLI::App&) {});
}

bool has_optional_value(std::string_view flag) {
  return std::ranges::find(kOptionalValues, flag, &OptionalValue::flag) != kOptionalValues.end();
}

Result<void> check_values(const std::vector<std::string>& arguments) {
  ParsedFlags parsed;
  CLI::App app;
  Result<void> fine = read_flags(app, arguments, parsed);
  return fine ? parse_texts(parsed, command_of(app)) : fine;
}

Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments.front() == "__complete") {
    return CompleteCommand{{arguments.begin() + 1, arguments.end()}};
  }
  const auto dashes = std::ranges::find(arguments, "--");
  std::vector<std::string> trailing;
  if (dashes != arguments.end()) trailing.assign(dashes + 1, arguments.end());
  ParsedFlags parsed;
  CLI::App app;
  Result<void> fine = read_flags(app, {arguments.begin(), dashes}, parsed);
  const std::string command = command_of(app);
  if (!fine && parsed.help) return HelpCommand{command};
  if (!fine) return std::unexpected(std::move(fine).error());
  if (const std::string flag = misplaced_flag(app); command == "sandbox" && !flag.empty()) {
    return usage("unknown flag: " + flag, "sandbox");
  }
  return chosen(parsed, command, trailing);
}

}  // namespace kinf
