// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/settings/command_reader.h"

#include "kinf/base/files.h"
#include "kinf/base/limits.h"
#include "kinf/cli/flags/command_table.h"
#include "kinf/cli/flags/usage_error.h"
#include "kinf/cli/settings/flag_defaults.h"
#include "kinf/cli/settings/settings.h"

namespace kinf {
namespace {

/// Returns the value of --config, or an empty string.
std::string config_flag(const std::vector<std::string>& arguments) {
  const TypedLine line = read_complete_line(arguments);
  const TypedFlag* const flag = line.find("--config");
  return flag == nullptr ? std::string() : flag->value;
}

/// Returns the default path of the configuration file, which need not exist. Empty if there is no
/// home folder.
std::string default_config(const Environment& environment) {
  if (environment.config_home.starts_with('/'))
    return environment.config_home + "/kinf/config.toml";
  const std::string& home = environment.config.home;
  return home.empty() ? std::string() : home + "/.config/kinf/config.toml";
}

TypedLine with_words(TypedLine line, const std::vector<std::string>& words) {
  for (const std::string& word : words) line.add(word);
  return line;
}

/// Returns whether the command needs no settings, so that it works even if the settings file is
/// wrong.
bool needs_no_settings(const CommandLine& line) {
  return std::holds_alternative<HelpCommand>(line) ||
         std::holds_alternative<VersionCommand>(line) ||
         std::holds_alternative<CompletionCommand>(line) ||
         std::holds_alternative<CompleteCommand>(line);
}

/// Returns whether `line` is the general help, requested with a word that may be an alias, as in
/// `kinf mine --help`.
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

/// Returns the command of `typed` with the defaults that fit it. `line` is the command without
/// defaults.
Result<CommandLine> with_defaults(const TypedLine& typed, Result<CommandLine> line,
                                  const Settings& settings) {
  if (line && needs_no_settings(*line)) return line;
  if (typed.command.empty()) return line;
  if (typed.command_id == 0) return unknown_command(typed.command, names_of(settings.aliases));
  Result<std::vector<DefaultWords>> defaults = default_words(typed, settings);
  if (!defaults) return fail(defaults);
  if (defaults->empty()) return line;
  // Usually all defaults fit. If not, try each default together with those accepted before it.
  TypedLine accepted = typed;
  const auto any = [](const std::vector<std::string>&) { return true; };
  for (const DefaultWords& one : taken_defaults(typed.command_id, *defaults, any)) {
    accepted = with_words(std::move(accepted), one.words);
  }
  if (Result<CommandLine> with_all = parse_line(accepted)) return with_all;
  accepted = typed;
  const auto fits = [&](const std::vector<std::string>& words) {
    TypedLine candidate = with_words(accepted, words);
    Result<CommandLine> with_default = parse_line(candidate);
    if (!with_default) return false;
    accepted = std::move(candidate);
    line = std::move(with_default);
    return true;
  };
  taken_defaults(typed.command_id, *std::move(defaults), fits);
  return line;
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
  const TypedLine typed = read_complete_line(expand_alias(arguments, settings));
  return with_defaults(typed, parse_line(typed), settings);
}

Result<CommandLine> read_command_line(const std::vector<std::string>& arguments,
                                      const Environment& environment) {
  Result<CommandLine> line = parse_command_line(arguments);
  if (line && needs_no_settings(*line) && !may_have_alias(*line, arguments)) return line;
  const Result<Settings> settings = read_settings(arguments, environment);
  if (!settings) return fail(settings);
  const bool is_empty =
      settings->defaults.empty() && settings->aliases.empty() && settings->columns.empty();
  if (is_empty) return line;
  // Without an alias, reuse `line`. Parsing again could compile a jq program twice.
  if (expand_alias(arguments, *settings) != arguments)
    return parse_with_settings(arguments, *settings);
  return with_defaults(read_complete_line(arguments), std::move(line), *settings);
}

}  // namespace kinf
