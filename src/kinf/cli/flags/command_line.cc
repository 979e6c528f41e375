// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <tuple>

#include "kinf/base/assign.h"
#include "kinf/cli/flags/command_table.h"
#include "kinf/cli/flags/flag_table.h"
#include "kinf/cli/flags/parsed_flags.h"
#include "kinf/cli/flags/usage_error.h"
#include "kinf/cli/runtime/environment.h"

namespace kinf {

// The members of ParsedFlags in which the rows of the flags store their values.
constexpr std::tuple kParts{
    &ParsedFlags::global,  &ParsedFlags::help,  &ParsedFlags::informer,      &ParsedFlags::output,
    &ParsedFlags::limits,  &ParsedFlags::texts, &ParsedFlags::choice,        &ParsedFlags::watch,
    &ParsedFlags::index,   &ParsedFlags::run,   &ParsedFlags::wait,          &ParsedFlags::demo,
    &ParsedFlags::sandbox, &ParsedFlags::check, &ParsedFlags::api_resources, &ParsedFlags::record,
    &ParsedFlags::info,    &ParsedFlags::copy};
template <class Part>
Part& part_of(ParsedFlags& parsed) {
  if constexpr (std::is_same_v<Part, ShowOptions>) {
    return parsed.output;
  } else {
    return parsed.*std::get<Part ParsedFlags::*>(kParts);
  }
}
template GlobalFlags& part_of(ParsedFlags& parsed);
template HelpFlags& part_of(ParsedFlags& parsed);
template InformerFlags& part_of(ParsedFlags& parsed);
template OutputFlags& part_of(ParsedFlags& parsed);
template ShowOptions& part_of(ParsedFlags& parsed);
template LimitFlags& part_of(ParsedFlags& parsed);
template FlagTexts& part_of(ParsedFlags& parsed);
template WatchChoice& part_of(ParsedFlags& parsed);
template WatchCommand& part_of(ParsedFlags& parsed);
template IndexCommand& part_of(ParsedFlags& parsed);
template RunCommand& part_of(ParsedFlags& parsed);
template WaitCommand& part_of(ParsedFlags& parsed);
template DemoCommand& part_of(ParsedFlags& parsed);
template SandboxCommand& part_of(ParsedFlags& parsed);
template CheckCommand& part_of(ParsedFlags& parsed);
template ApiResourcesCommand& part_of(ParsedFlags& parsed);
template RecordCommand& part_of(ParsedFlags& parsed);
template InfoCommand& part_of(ParsedFlags& parsed);
template CopyCommand& part_of(ParsedFlags& parsed);

namespace {

/// Returns the first flag that the command does not have, or null.
const TypedFlag* unknown_in(const TypedLine& line) {
  const auto found = std::ranges::find(line.flags, nullptr, &TypedFlag::row);
  return found == line.flags.end() ? nullptr : &*found;
}

/// Parses the flags of a command line with CLI11, which reports missing values and unexpected
/// words.
class FlagParser {
 public:
  explicit FlagParser(ParsedFlags& parsed) : parsed_(parsed), line_(parsed.line) {
    app_.set_help_flag();
    const CommandRow* const command = find_command(line_.command);
    if (command != nullptr && command->arguments != Arguments::none) app_.add_option("args", args_);
  }

  Result<void> parse() {
    std::vector<std::string> words;
    for (const TypedFlag& flag : line_.flags) {
      const bool is_switch = flag.row != nullptr && !flag.row->takes_value();
      if (is_switch && flag.has_value && !switch_value(flag.value)) {
        return usage(
            fmt::format("invalid argument \"{}\" for \"{}\" flag: it must be true or false",
                        flag.value, flag.name),
            line_.command);
      }
      // The value of a flag is optional before the command, but the command's row may require it.
      if (flag.row != nullptr && !flag.has_value && flag.text().empty()) {
        return usage("flag needs an argument: " + flag.name, line_.command);
      }
      add_words(flag, words);
    }
    words.insert(words.end(), line_.args.begin(), line_.args.end());
    if (!line_.flag.empty()) {  // the value of this flag is missing
      declare(*find_flag(line_.flag, line_.command_id));
      words.push_back(line_.flag);
    }
    std::ranges::reverse(words);  // CLI11 expects the last word first
    try {
      app_.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
      return error_of(error);
    }
    if (const TypedFlag* const unknown = unknown_in(line_)) {  // CLI11 accepts `-1` as an argument
      return unknown_flag(unknown->name, line_.command);
    }
    return {};
  }

 private:
  void add_words(const TypedFlag& flag, std::vector<std::string>& words) {
    if (flag.row != nullptr) declare(*flag.row);
    const std::string value = flag.text();
    if (!value.empty()) {
      words.push_back(fmt::format("{}={}", flag.name, value));
      return;
    }
    words.push_back(flag.name);
    if (flag.row != nullptr) words.emplace_back();  // CLI11 would misread `--flag=`
  }

  void declare(const FlagRow& row) {
    if (std::ranges::find(declared_, &row) != declared_.end()) return;
    declared_.push_back(&row);
    std::string names(row.name);
    if (row.letter != 0) names = fmt::format("-{},{}", row.letter, row.name);
    const auto store_all = [this, &row](const CLI::results_t& values) {
      for (const std::string& value : values) store(row, value);
      return true;
    };
    app_.add_option(names, CLI::callback_t(store_all))
        ->allow_extra_args(false)
        ->multi_option_policy(row.repeats ? CLI::MultiOptionPolicy::TakeAll
                                          : CLI::MultiOptionPolicy::TakeLast);
  }

  void store(const FlagRow& row, const std::string& value) {
    const Result<void> fine = row.store(parsed_, row, value);
    if (fine) return;
    throw CLI::ValidationError(fmt::format("invalid argument \"{}\" for \"{}\" flag: {}", value,
                                           row.name, fine.error().message));
  }

  /// Converts an error of CLI11 to kubectl's wording.
  std::unexpected<Error> error_of(const CLI::ParseError& error) const {
    const std::string text = error.what();
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
      if (const TypedFlag* const unknown = unknown_in(line_)) {
        return unknown_flag(unknown->name, line_.command);
      }
      return usage(fmt::format("unexpected argument \"{}\"", app_.remaining().front()),
                   line_.command);
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
      return usage("flag needs an argument: " + text.substr(0, text.find(':')), line_.command);
    }
    return usage(text, line_.command);
  }

  ParsedFlags& parsed_;
  const TypedLine& line_;
  CLI::App app_;
  std::vector<std::string> args_;
  std::vector<const FlagRow*> declared_;
};

/// Returns the error of a line whose first word is not a command.
std::unexpected<Error> no_command(const TypedLine& line) {
  if (line.late_command.empty()) return unknown_command(line.command);
  if (const TypedFlag* const unknown = unknown_in(line)) {
    return unknown_flag(unknown->name, line.late_command);
  }
  return usage(fmt::format("unexpected argument \"{}\"", line.command), line.late_command);
}

Result<CommandLine> help_line(const TypedLine& line) {
  const std::string topic = line.args.empty() ? "" : line.args.front();
  if (topic.empty() || is_command(topic)) return HelpCommand{topic};
  return usage(fmt::format("unknown command \"{}\" for \"kinf\"", topic), "");
}

/// For a command with informers, sets the types that its arguments name, and whether its recording
/// and state contain the values of Secrets. Errors: usage.
Result<void> set_objects(ParsedFlags& parsed) {
  const TypedLine& line = parsed.line;
  std::vector<std::string> args = line.args;
  if (line.command_id != commands::run) {
    args.insert(args.end(), line.trailing.begin(), line.trailing.end());
  } else if (line.trailing.empty()) {
    return fail(ErrorKind::usage, "no command to run")
        .with_hint("put the command after --: kinf run TYPE -- COMMAND ARGUMENT...");
  }
  const bool has_manifests = !parsed.informer.manifests.files.empty();
  const auto inputs = std::ranges::count(parsed.informer.manifests.files, "-") +
                      (parsed.global.replay.from == "-" ? 1 : 0);
  if (has_manifests && inputs > 1) {
    return usage("the standard input can only be read once", line.command);
  }
  if (has_manifests && !args.empty()) {
    return fail(ErrorKind::usage,
                "when paths, URLs, or stdin is provided as input, you may not specify resource "
                "arguments as well");
  }
  if (parsed.informer.all_types) {
    if (!args.empty()) return usage("--all-types takes no TYPE; use --except", line.command);
    args.emplace_back(RequestedType::kAll);
  }
  const bool takes_all =  // without arguments: all types in the recording or stream
      args.empty() && !parsed.global.replay.from.empty() &&
      (line.command_id & (commands::watch | commands::get | commands::history)) != 0;
  if (!takes_all && !has_manifests) {
    if (args.empty() && !parsed.informer.except.empty()) {
      return usage("--except needs a TYPE, or record --all-types", line.command);
    }
    if (auto done = assign(parsed.informer.types, parse_type_args(args)); !done) return fail(done);
  }
  parsed.informer.record.show_secrets = parsed.output.show_secrets;
  parsed.informer.state.show_secrets = parsed.output.show_secrets;
  return {};
}

/// A function that makes one command from its parsed and compiled flags. Errors: usage.
using MakeCommand = Result<CommandLine> (*)(ParsedFlags& parsed);

constexpr std::pair<CommandSet, MakeCommand> kMakers[] = {
    {commands::watch, watch_line},
    {commands::get, watch_line},
    {commands::history, history_line},
    {commands::index, index_line},
    {commands::run, run_line},
    {commands::wait, wait_line},
    {commands::record, record_line},
    {commands::demo, demo_line},
    {commands::sandbox, sandbox_line},
    {commands::check, check_line},
    {commands::api_resources, api_resources_line},
    {commands::info, info_line},
    {commands::copy, copy_line},
    {commands::completion, completion_line},
};

/// Compiles and checks the parsed flags of a line, and returns its command. Errors: usage.
Result<CommandLine> make_command(ParsedFlags& parsed) {
  const CommandSet command = parsed.line.command_id;
  Result<void> fine = compile_texts(parsed);
  if (fine && !parsed.choice.raw.empty()) return raw_line(parsed);
  if (fine && (command & commands::informers) != 0) fine = set_objects(parsed);
  if (fine) fine = check_rows(parsed.line);
  if (!fine) return fail(fine);
  return std::ranges::find(kMakers, command, &std::pair<CommandSet, MakeCommand>::first)
      ->second(parsed);
}

}  // namespace

bool wants_colour(const GlobalFlags& global, const Environment& environment) {
  if (global.colour != ColourChoice::automatic) return global.colour == ColourChoice::always;
  if (environment.no_colour) return false;
  return environment.force_colour || (environment.stdout_is_terminal && !environment.dumb_terminal);
}

Result<void> check_values(const TypedLine& line) {
  ParsedFlags parsed{line};
  Result<void> fine = FlagParser(parsed).parse();
  return fine ? compile_texts(parsed) : fine;
}

GlobalFlags global_flags(const TypedLine& line) {
  ParsedFlags parsed{line};
  for (const TypedFlag& flag : line.flags) {
    if (flag.row == nullptr || find_flag(flag.name, 0) == nullptr) continue;
    static_cast<void>(flag.row->store(parsed, *flag.row, flag.text()));
  }
  return parsed.global;
}

Result<CommandLine> parse_line(const TypedLine& line) {
  const bool is_known = line.command_id != 0;
  ParsedFlags parsed{line};
  Result<void> fine;
  if (!is_known && line.has_command) {
    fine = no_command(line);
  } else {
    fine = FlagParser(parsed).parse();
  }
  if (fine && parsed.help.version) return VersionCommand{};
  if (line.is_set("--help")) return HelpCommand{is_known ? line.command : ""};
  if (!fine) return fail(fine);
  if (line.command_id == commands::version) return VersionCommand{};
  if (!is_known) return HelpCommand{};
  if (line.command_id == commands::help) return help_line(line);
  return make_command(parsed);
}

Result<void> read_manifests(CommandLine& line) {
  const auto read = [](auto& command) -> Result<void> {
    if constexpr (requires { command.informer.manifests; }) {
      if (command.informer.manifests.files.empty()) return {};
      return assign(command.informer.types, read_manifest_args(command.informer.manifests));
    }
    return {};
  };
  return std::visit(read, line);
}

Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments.front() == "__complete") {
    return CompleteCommand{{arguments.begin() + 1, arguments.end()}};
  }
  return parse_line(read_complete_line(arguments));
}

}  // namespace kinf
