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

/// What the parser writes to; one struct per command, since only one is named.
struct Parsed {
  GlobalFlags global;
  WatchCommand watch;
  WatchCommand get;
  IndexCommand index;
  RunCommand run;
  DemoCommand demo;
  SandboxCommand sandbox;
  std::vector<std::string> watch_args, get_args, index_args, run_args, demo_args, help_args;
  std::vector<std::string> by;
  std::vector<std::string> changed;
  bool get_watches = false;  ///< get -w
  bool watch_watches = false;
  bool help = false;
};

constexpr std::array<std::string_view, 8> kCommands = {"watch", "get",     "index",   "run",
                                                       "demo",  "sandbox", "version", "help"};

/// Flags whose value may be left out, with what it is then.
struct OptionalValue {
  std::string_view flag;
  std::string_view value;
};
constexpr std::array<OptionalValue, 2> kOptionalValues = {
    {{"--sandbox", "nettool"}, {"--output-watch-events", "true"}}};

/// Spells out what the parser would misread: optional values, which would eat the type that
/// follows, and `-n=shop`, which kubectl takes.
std::string spelt_out(const std::string& argument) {
  for (const OptionalValue& optional : kOptionalValues) {
    if (argument == optional.flag) return fmt::format("{}={}", optional.flag, optional.value);
  }
  if (argument.size() > 3 && argument[0] == '-' && argument[1] != '-' && argument[2] == '=') {
    return argument.substr(0, 2) + argument.substr(3);
  }
  return argument;
}

/// A parser with the flags of the command that is meant. A command whose name is nowhere among the
/// arguments cannot be it: its flags are left out, for each costs time at every start.
class Parser {
 public:
  Parser(CLI::App& app, const std::vector<std::string>& arguments)
      : app_(app), arguments_(arguments) {}

  void declare(Parsed& parsed);

 private:
  template <class AddFlags>
  void command(const std::string& name, AddFlags add_flags) {
    CLI::App& command = *app_.add_subcommand(name);
    command.set_help_flag();
    command.fallthrough();
    if (std::ranges::find(arguments_, name) != arguments_.end()) add_flags(command);
  }

  CLI::App& app_;
  const std::vector<std::string>& arguments_;
};

void Parser::declare(Parsed& parsed) {
  app_.set_help_flag();
  app_.require_subcommand(0, 1);
  add_global_flags(app_, parsed.global);
  app_.add_flag("-h,--help", parsed.help);
  command("watch", [&](CLI::App& watch) {
    add_informer_flags(watch, parsed.watch.informer);
    add_watch_flags(watch, parsed.watch);
    watch.add_flag("-w,--watch", parsed.watch_watches);
    watch.add_option("args", parsed.watch_args);
  });
  command("get", [&](CLI::App& get) {
    add_informer_flags(get, parsed.get.informer);
    add_watch_flags(get, parsed.get);
    get.add_flag("-w,--watch", parsed.get_watches);
    get.add_option("args", parsed.get_args);
  });
  command("index", [&](CLI::App& index) {
    add_informer_flags(index, parsed.index.informer);
    add_index_flags(index, parsed.index, parsed.by);
    index.add_option("args", parsed.index_args);
  });
  command("run", [&](CLI::App& run) {
    add_informer_flags(run, parsed.run.informer);
    add_run_flags(run, parsed.run, parsed.changed);
    run.add_option("args", parsed.run_args);
  });
  command("demo", [&](CLI::App& demo) {
    add_demo_flags(demo, parsed.demo);
    demo.add_option("args", parsed.demo_args);
  });
  command("sandbox", [&](CLI::App& sandbox) { add_sandbox_flags(sandbox, parsed.sandbox); });
  command("version", [](CLI::App&) {});
  command("help", [&](CLI::App& help) { help.add_option("args", parsed.help_args); });
}

std::unexpected<Error> usage(std::string message, std::string_view command) {
  Error error(ErrorKind::usage, std::move(message));
  error.hint = command.empty() ? "kinf --help lists the commands"
                               : fmt::format("kinf {} --help lists the flags", command);
  return std::unexpected(std::move(error));
}

/// What is left over: the first flag, else the first word. The parser lists the last one first.
std::string left_over(const std::string& complaint) {
  std::string word;
  std::istringstream words(complaint.substr(complaint.rfind(": ") + 2));
  while (words >> word) {
    if (word.starts_with('-')) break;
  }
  return word;
}

/// The parser's complaint in kubectl's words.
std::unexpected<Error> complaint(const CLI::ParseError& error, std::string_view command) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string word = left_over(text);
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

Result<CommandLine> watch_line(WatchCommand command, const GlobalFlags& global,
                               const std::vector<std::string>& args) {
  Result<std::vector<RequestedType>> types = parse_type_args(args);
  if (!types) return std::unexpected(std::move(types).error());
  command.global = global;
  command.informer.types = *std::move(types);
  return command;
}

Result<CommandLine> index_line(IndexCommand command, const GlobalFlags& global,
                               const std::vector<std::string>& args,
                               const std::vector<std::string>& by) {
  Result<std::vector<RequestedType>> types = parse_type_args(args);
  if (!types) return std::unexpected(std::move(types).error());
  if (types->size() > 1) return usage("index takes a single type", "index");
  for (const std::string& text : by) {
    Result<IndexSpec> spec = IndexSpec::parse(text);
    if (!spec) return std::unexpected(std::move(spec).error());
    command.by.push_back(*std::move(spec));
  }
  command.global = global;
  command.informer.types = *std::move(types);
  return command;
}

Result<CommandLine> run_line(RunCommand command, const GlobalFlags& global,
                             const std::vector<std::string>& args,
                             const std::vector<std::string>& changed,
                             const std::vector<std::string>& behind_dashes) {
  if (behind_dashes.empty()) {
    Error error(ErrorKind::usage, "nothing to run");
    error.hint = "the command stands behind --: kinf run TYPE -- COMMAND ARGUMENT...";
    return std::unexpected(std::move(error));
  }
  Result<std::vector<RequestedType>> types = parse_type_args(args);
  if (!types) return std::unexpected(std::move(types).error());
  for (const std::string& path : changed) {
    Result<IndexSpec> spec = IndexSpec::parse(path);
    if (!spec || spec->source() != IndexSpec::Source::path || spec->value()) {
      return usage(fmt::format("--changed {}: not a path such as .data", path), "run");
    }
    command.changed.push_back(*std::move(spec));
  }
  command.global = global;
  command.informer.types = *std::move(types);
  command.command = behind_dashes;
  return command;
}

Result<CommandLine> demo_line(DemoCommand command, const GlobalFlags& global,
                              const std::vector<std::string>& args) {
  if (args.size() != 1) return usage("demo takes one stage", "demo");
  command.stage = args.front();
  command.global = global;
  return command;
}

/// A relay has no server of its own that these could be about.
Result<CommandLine> sandbox_line(SandboxCommand command) {
  if (command.relay.empty()) return command;
  const std::array<std::pair<const char*, bool>, 7> pointless = {
      {{"--tls", command.tls},
       {"--token", !command.global.token.empty()},
       {"--kubeconfig-out", !command.kubeconfig_out.empty()},
       {"--scenario", !command.scenario.empty()},
       {"--load", !command.load.empty()},
       {"--data", !command.data.empty()},
       {"--speed", command.speed != 1}}};
  for (const auto& [flag, given] : pointless) {
    if (given) return usage(fmt::format("{} makes no sense with --relay", flag), "sandbox");
  }
  return command;
}

Result<CommandLine> chosen(Parsed& parsed, std::string_view command,
                           const std::vector<std::string>& behind_dashes) {
  if (command.empty() || parsed.help) return HelpCommand{std::string(command)};
  if (command == "help") {
    const std::string topic = parsed.help_args.empty() ? "" : parsed.help_args.front();
    if (!topic.empty() && std::ranges::find(kCommands, topic) == kCommands.end()) {
      return usage(fmt::format("unknown command \"{}\" for \"kinf\"", topic), "");
    }
    return HelpCommand{topic};
  }
  if (command == "version") return VersionCommand{};
  if (command == "sandbox") {
    parsed.sandbox.global = parsed.global;
    parsed.sandbox.command = behind_dashes;
    return sandbox_line(std::move(parsed.sandbox));
  }
  if (command == "run") {
    return run_line(std::move(parsed.run), parsed.global, parsed.run_args, parsed.changed,
                    behind_dashes);
  }
  if (command == "demo") {
    return demo_line(std::move(parsed.demo), parsed.global, parsed.demo_args);
  }
  const auto with_rest = [&](std::vector<std::string>& args) {
    args.insert(args.end(), behind_dashes.begin(), behind_dashes.end());
    return args;
  };
  if (command == "index") {
    return index_line(std::move(parsed.index), parsed.global, with_rest(parsed.index_args),
                      parsed.by);
  }
  if (command == "get") {
    parsed.get.once = !parsed.get_watches;
    return watch_line(std::move(parsed.get), parsed.global, with_rest(parsed.get_args));
  }
  return watch_line(std::move(parsed.watch), parsed.global, with_rest(parsed.watch_args));
}

/// The flag given that the sandbox has no use for, if any: it is a server, not a client.
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
  std::ranges::transform(own, own.begin(), spelt_out);
  std::ranges::reverse(own);  // as CLI11 wants them
  std::vector<std::string> behind;
  if (dashes != arguments.end()) behind.assign(dashes + 1, arguments.end());

  Parsed parsed;
  CLI::App app;
  Parser(app, own).declare(parsed);
  const auto command = [&]() -> std::string {
    const auto used = app.get_subcommands();
    return used.empty() ? std::string() : used.front()->get_name();
  };
  try {
    app.parse(std::move(own));
  } catch (const CLI::ParseError& error) {
    if (parsed.help) return HelpCommand{command()};
    return complaint(error, command());
  }
  if (const std::string flag = misplaced_flag(app); command() == "sandbox" && !flag.empty()) {
    return usage("unknown flag: " + flag, "sandbox");
  }
  return chosen(parsed, command(), behind);
}

}  // namespace kinf
