// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <sstream>

#include "kinf/cli/flags.h"

namespace kinf {
namespace {

/// Where the parser writes the values. Only one command is named, so commands share fields.
struct Parsed {
  GlobalFlags global;
  WatchCommand watch;  ///< and get
  IndexCommand index;
  RunCommand run;
  DemoCommand demo;
  SandboxCommand sandbox;
  std::vector<std::string> args;
  std::vector<std::string> by;
  std::vector<std::string> changed;
  bool watch_flag = false;
  bool help = false;
};

constexpr std::array<std::string_view, 8> kCommands = {"watch", "get",     "index",   "run",
                                                       "demo",  "sandbox", "version", "help"};

/// Flags whose value is optional, with the default value.
struct OptionalValue {
  std::string_view flag;
  std::string_view value;
};
constexpr std::array<OptionalValue, 2> kOptionalValues = {
    {{"--sandbox", "nettool"}, {"--output-watch-events", "true"}}};

/// Spells out what the parser would misread: an optional value, which would take the type that
/// follows, and `-n=shop`, which kubectl accepts.
std::string normalize_argument(const std::string& argument) {
  for (const OptionalValue& optional : kOptionalValues) {
    if (argument == optional.flag) return fmt::format("{}={}", optional.flag, optional.value);
  }
  if (argument.size() > 3 && argument[0] == '-' && argument[1] != '-' && argument[2] == '=') {
    return argument.substr(0, 2) + argument.substr(3);
  }
  return argument;
}

/// Declares the global flags, and those of each command whose name is among the arguments: the
/// others cannot be meant, and declaring flags takes time at every start.
void declare_flags(CLI::App& app, const std::vector<std::string>& arguments, Parsed& parsed) {
  app.set_help_flag();
  app.require_subcommand(0, 1);
  add_global_flags(app, parsed.global);
  app.add_flag("-h,--help", parsed.help);
  const auto command = [&](std::string_view name, const auto& add_flags) {
    CLI::App& command = *app.add_subcommand(std::string(name));
    command.set_help_flag();
    command.fallthrough();
    if (std::ranges::find(arguments, name) == arguments.end()) return;
    add_flags(command);
    if (name != "version" && name != "sandbox") command.add_option("args", parsed.args);
  };
  const auto add_watch_and_get_flags = [&](CLI::App& watch) {
    add_informer_flags(watch, parsed.watch.informer);
    add_watch_flags(watch, parsed.watch);
    watch.add_flag("-w,--watch", parsed.watch_flag);
  };
  command("watch", add_watch_and_get_flags);
  command("get", add_watch_and_get_flags);
  command("index", [&](CLI::App& index) {
    add_informer_flags(index, parsed.index.informer);
    add_index_flags(index, parsed.index, parsed.by);
  });
  command("run", [&](CLI::App& run) {
    add_informer_flags(run, parsed.run.informer);
    add_run_flags(run, parsed.run, parsed.changed);
  });
  command("demo", [&](CLI::App& demo) { add_demo_flags(demo, parsed.demo); });
  command("sandbox", [&](CLI::App& sandbox) { add_sandbox_flags(sandbox, parsed.sandbox); });
  command("version", [](CLI::App&) {});
  command("help", [](CLI::App&) {});
}

std::unexpected<Error> usage(std::string message, std::string_view command) {
  Error error(ErrorKind::usage, std::move(message));
  error.hint = command.empty() ? "kinf --help lists the commands"
                               : fmt::format("kinf {} --help lists the flags", command);
  return std::unexpected(std::move(error));
}

/// The first unknown flag, else the first unknown argument. The parser lists the last one first.
std::string first_unknown(const std::string& message) {
  std::string word;
  std::istringstream words(message.substr(message.rfind(": ") + 2));
  while (words >> word) {
    if (word.starts_with('-')) break;
  }
  return word;
}

/// The parser's error in kubectl's words.
std::unexpected<Error> parse_error(const CLI::ParseError& error, std::string_view command) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string word = first_unknown(text);
    if (word.starts_with("--")) {
      return usage("unknown flag: " + word.substr(0, word.find('=')), command);
    }
    if (word.starts_with("-") && word.size() > 1) {
      return usage(fmt::format("unknown shorthand flag: '{}' in {}", word[1], word), command);
    }
    if (command.empty()) return usage(fmt::format("unknown command \"{}\" for \"kinf\"", word), "");
    return usage(fmt::format("unexpected argument \"{}\"", word), command);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return usage("flag needs an argument: " + text.substr(0, text.find(':')), command);
  }
  return usage(text, command);
}

Result<CommandLine> index_line(Parsed& parsed) {
  if (parsed.index.informer.types.size() > 1) return usage("index takes exactly one type", "index");
  for (const std::string& text : parsed.by) {
    Result<IndexSpec> spec = IndexSpec::parse(text);
    if (!spec) return std::unexpected(std::move(spec).error());
    parsed.index.by.push_back(*std::move(spec));
  }
  return parsed.index;
}

Result<CommandLine> run_line(Parsed& parsed) {
  for (const std::string& path : parsed.changed) {
    Result<IndexSpec> spec = IndexSpec::parse(path);
    if (!spec || spec->source() != IndexSpec::Source::path || spec->value()) {
      return usage(fmt::format("--changed {}: not a JSONPath such as .data", path), "run");
    }
    parsed.run.changed.push_back(*std::move(spec));
  }
  return parsed.run;
}

/// A relay has no server of its own that these flags could be about.
Result<CommandLine> sandbox_line(const SandboxCommand& command) {
  if (command.relay.empty()) return command;
  const std::array<std::pair<const char*, bool>, 7> pointless = {
      {{"--tls", command.tls},
       {"--token", !command.global.config.overrides.token.empty()},
       {"--kubeconfig-out", !command.kubeconfig_out.empty()},
       {"--scenario", !command.scenario.empty()},
       {"--load", !command.load.empty()},
       {"--data", !command.data.empty()},
       {"--speed", command.speed != 1}}};
  for (const auto& [flag, given] : pointless) {
    if (given) return usage(fmt::format("{} cannot be used with --relay", flag), "sandbox");
  }
  return command;
}

/// The command with its arguments. `trailing` are those after `--`.
Result<CommandLine> chosen(Parsed& parsed, std::string_view command,
                           const std::vector<std::string>& trailing) {
  std::vector<std::string>& args = parsed.args;
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
    if (args.size() != 1) return usage("demo takes exactly one stage", "demo");
    parsed.demo.global = parsed.global;
    parsed.demo.stage = args.front();
    return parsed.demo;
  }
  if (command != "run") {
    args.insert(args.end(), trailing.begin(), trailing.end());
  } else if (trailing.empty()) {
    Error error(ErrorKind::usage, "no command to run");
    error.hint = "put the command after --: kinf run TYPE -- COMMAND ARGUMENT...";
    return std::unexpected(std::move(error));
  }
  Result<std::vector<RequestedType>> types = parse_type_args(args);
  if (!types) return std::unexpected(std::move(types).error());
  const auto set_common = [&](auto& target) {
    target.global = parsed.global;
    target.informer.types = *types;
  };
  set_common(parsed.watch);
  set_common(parsed.index);
  set_common(parsed.run);
  parsed.run.command = trailing;
  if (command == "index") return index_line(parsed);
  if (command == "run") return run_line(parsed);
  if (command == "get") parsed.watch.once = !parsed.watch_flag;
  return parsed.watch;
}

/// A flag that was given and that `kinf sandbox` does not take: it is a server, not a client.
std::string misplaced_flag(const CLI::App& app) {
  constexpr std::array<std::string_view, 5> kTaken = {"--token", "--v", "--quiet", "--color",
                                                      "--help"};
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() > 0 && std::ranges::find(kTaken, name) == kTaken.end()) return name;
  }
  return {};
}

}  // namespace

Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments) {
  const auto dashes = std::ranges::find(arguments, "--");
  std::vector<std::string> own(arguments.begin(), dashes);
  std::ranges::transform(own, own.begin(), normalize_argument);
  std::ranges::reverse(own);  // as CLI11 wants them
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
    return parse_error(error, command());
  }
  if (const std::string flag = misplaced_flag(app); command() == "sandbox" && !flag.empty()) {
    return usage("unknown flag: " + flag, "sandbox");
  }
  return chosen(parsed, command(), trailing);
}

}  // namespace kinf
