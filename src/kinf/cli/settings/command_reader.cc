// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/settings/command_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/base/ascii.h"
#include "kinf/base/limits.h"
#include "kinf/base/read_file.h"
#include "kinf/cli/completion/object_words.h"
#include "kinf/cli/completion/typed_line.h"
#include "kinf/cli/parse_error.h"
#include "kinf/cli/settings/environment_defaults.h"
#include "kinf/cli/settings/settings_file.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {
namespace {

/// Returns the value of --config, or an empty text.
std::string config_flag(const std::vector<std::string>& arguments) {
  std::string path;
  const bool is_given = std::ranges::any_of(
      arguments, [](const std::string& one) { return one.starts_with("--config"); });
  if (!is_given) return path;
  for (const TypedFlag& flag : read_complete_line(arguments).flags) {
    if (flag.name == "--config") path = flag.value;
  }
  return path;
}

/// Returns the file that need not exist, or an empty text.
std::string default_config(const Environment& environment) {
  if (environment.config_home.starts_with('/'))
    return environment.config_home + "/kinf/config.toml";
  const std::string& home = environment.config.home;
  return home.empty() ? std::string() : home + "/.config/kinf/config.toml";
}

/// Returns the plural of a built-in type, or `word`.
std::string plural_of(const std::string& word) {
  const std::string name = to_lower(word);
  static const std::vector<SandboxType> types = Sandbox::types();
  const auto type = std::ranges::find_if(types, [&](const SandboxType& one) {
    return name == one.resource || name == one.singular ||
           std::ranges::find(one.short_names, name) != one.short_names.end();
  });
  return type == types.end() ? word : type->resource;
}

/// Returns the default of -o that the columns of the type in `line` make, if any.
std::vector<FlagDefault> columns_default(const TypedLine& line, const Settings& settings) {
  const std::vector<std::string> types = typed_types(line);
  if (types.size() != 1 || (line.command != "watch" && line.command != "get")) return {};
  const std::string type = plural_of(types.front());
  for (const TypeColumns& one : settings.columns) {
    if (plural_of(one.type) != type) continue;
    return {
        {.flag = "--output", .values = {"custom-columns=" + one.columns}, .origin = one.origin}};
  }
  return {};
}

/// Returns the defaults that apply to `line`, at most one for each flag. Errors: usage, for a flag
/// that the command does not have.
Result<std::vector<FlagDefault>> applicable(const TypedLine& line, const Settings& settings) {
  std::vector<FlagDefault> chosen = columns_default(line, settings);
  for (const FlagDefault& one : settings.defaults) {
    if (!one.command.empty() && one.command != line.command) continue;
    const bool has_flag =
        std::ranges::find(line.known_flags, one.flag, &FlagInfo::name) != line.known_flags.end();
    if (!has_flag && !one.command.empty()) {
      return fail(ErrorKind::usage,
                  fmt::format("{}: kinf {} has no flag {}", one.origin, line.command, one.flag));
    }
    if (!has_flag) continue;
    std::erase_if(chosen, [&](const FlagDefault& other) { return other.flag == one.flag; });
    chosen.push_back(one);
  }
  std::erase_if(chosen, [&](const FlagDefault& one) { return line.has_flag(one.flag); });
  return chosen;
}

/// Returns the words that give a flag its default values. Errors: usage, if a switch is neither on
/// nor off.
Result<std::vector<std::string>> words_of(const FlagDefault& one, const TypedLine& line) {
  const auto info = std::ranges::find(line.known_flags, one.flag, &FlagInfo::name);
  std::vector<std::string> words;
  for (const std::string& value : one.values) {
    if (info->takes_value) {
      words.push_back(one.flag + "=" + value);
    } else if (value == "true" || value == "1") {
      words.push_back(one.flag);
    } else if (value != "false" && value != "0") {
      return fail(ErrorKind::usage, fmt::format("{}: invalid argument \"{}\" for \"{}\" flag: it "
                                                "must be true or false",
                                                one.origin, value, one.flag));
    }
  }
  return words;
}

/// Inserts words behind the command.
std::vector<std::string> with_words(std::vector<std::string> arguments, const TypedLine& line,
                                    const std::vector<std::string>& words) {
  const auto command = arguments.begin() + static_cast<std::ptrdiff_t>(line.command_at);
  arguments.insert(command + 1, words.begin(), words.end());
  return arguments;
}

bool is_wrong_value(const Error& error) { return error.message.starts_with("invalid argument"); }

/// Returns whether the command takes no settings, so that a broken file does not break it.
bool needs_no_settings(const CommandLine& line) {
  return std::holds_alternative<HelpCommand>(line) ||
         std::holds_alternative<VersionCommand>(line) ||
         std::holds_alternative<CompletionCommand>(line) ||
         std::holds_alternative<CompleteCommand>(line);
}

/// Returns whether the general help may be asked for an alias: `kinf mine --help`.
bool may_have_alias(const CommandLine& line, const std::vector<std::string>& arguments) {
  const HelpCommand* const help = std::get_if<HelpCommand>(&line);
  if (help == nullptr || !help->topic.empty()) return false;
  const std::string word = read_complete_line(arguments).command;
  return !word.empty() && !is_command(word);
}

std::vector<std::string> names_of(const std::vector<Alias>& aliases) {
  std::vector<std::string> names;
  for (const Alias& alias : aliases) names.push_back(alias.name);
  return names;
}

}  // namespace

Result<Settings> read_settings(const std::vector<std::string>& arguments,
                               const Environment& environment) {
  std::string path = config_flag(arguments);
  if (path.empty()) path = environment.config_file;
  const bool must_exist = !path.empty();
  if (path.empty()) path = default_config(environment);
  Settings settings;
  if (!path.empty()) {
    const Result<std::string> text = read_file(path, limits::kSettingsBytes);
    if (text) {
      Result<Settings> parsed = parse_settings(*text, path);
      if (!parsed) return parsed;
      settings = *std::move(parsed);
    } else if (must_exist || text.error().kind != ErrorKind::not_found) {
      return fail(ErrorKind::usage, text.error().message);
    }
  }
  for (FlagDefault& one : environment_defaults(environment.all)) {
    settings.defaults.push_back(std::move(one));
  }
  return settings;
}

std::vector<std::string> expand_alias(const std::vector<std::string>& arguments,
                                      const Settings& settings) {
  if (settings.aliases.empty()) return arguments;
  const TypedLine line = read_complete_line(arguments);
  if (line.command == "help" && line.args.size() == 1) {
    const Alias* const topic = settings.find_alias(line.args.front());
    return topic == nullptr ? arguments
                            : std::vector{line.command, read_complete_line(topic->words).command};
  }
  const Alias* const alias = settings.find_alias(line.command);
  if (alias == nullptr) return arguments;
  std::vector<std::string> expanded = arguments;
  const auto command =
      expanded.erase(expanded.begin() + static_cast<std::ptrdiff_t>(line.command_at));
  expanded.insert(command, alias->words.begin(), alias->words.end());
  return expanded;
}

Result<CommandLine> parse_with_settings(const std::vector<std::string>& arguments,
                                        const Settings& settings) {
  std::vector<std::string> accepted = expand_alias(arguments, settings);
  Result<CommandLine> line = parse_command_line(accepted);
  if (line && needs_no_settings(*line)) return line;
  const TypedLine typed = read_complete_line(accepted);
  if (typed.command.empty()) return line;
  if (!line && !is_command(typed.command)) {
    return unknown_command(typed.command, names_of(settings.aliases));
  }
  Result<std::vector<FlagDefault>> defaults = applicable(typed, settings);
  if (!defaults) return std::unexpected(std::move(defaults).error());
  for (const FlagDefault& one : *defaults) {
    const Result<std::vector<std::string>> words = words_of(one, typed);
    if (!words) return std::unexpected(words.error());
    if (words->empty()) continue;
    std::vector<std::string> candidate = with_words(accepted, typed, *words);
    Result<CommandLine> with_default = parse_command_line(candidate);
    if (with_default) {
      accepted = std::move(candidate);
      line = std::move(with_default);
    } else if (line && is_wrong_value(with_default.error())) {
      return std::unexpected(std::move(with_default).error().within(one.origin));
    }
  }
  return line;
}

Result<CommandLine> read_command_line(const std::vector<std::string>& arguments,
                                      const Environment& environment) {
  Result<CommandLine> line = parse_command_line(arguments);
  if (line && needs_no_settings(*line) && !may_have_alias(*line, arguments)) return line;
  const Result<Settings> settings = read_settings(arguments, environment);
  if (!settings) return std::unexpected(settings.error());
  const bool is_empty =
      settings->defaults.empty() && settings->aliases.empty() && settings->columns.empty();
  return is_empty ? std::move(line) : parse_with_settings(arguments, *settings);
}

}  // namespace kinf
