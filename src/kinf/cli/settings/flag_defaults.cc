// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/settings/flag_defaults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "kinf/base/ascii.h"
#include "kinf/cli/flags/command_table.h"
#include "kinf/cli/flags/flag_table.h"
#include "kinf/cli/flags/type_args.h"
#include "kinf/kubernetes/built_in_types.h"
#include "kinf/print/custom_columns.h"

namespace kinf {
namespace {

using Words = std::vector<std::string>;

/// Returns the row of `flag` in `command`, or else the row of the global flag `flag`.
const FlagRow* row_of(CommandSet command, std::string_view flag) {
  const FlagRow* const row = find_flag(flag, command);
  return row == nullptr ? find_flag(flag, 0) : row;
}

/// Returns the plural name and group of the built-in type `word`, or `word` in lower case if it is
/// not built in.
std::string type_of(const std::string& word) {
  const std::string lower = to_lower(word);
  const std::size_t dot = lower.find('.');
  const std::string name = lower.substr(0, dot);
  for (const BuiltInType& type : built_in_types()) {
    if (type.is_called(name) && (dot == std::string::npos || lower.substr(dot + 1) == type.group)) {
      return fmt::format("{}.{}", type.resource, type.group);
    }
  }
  return lower;
}

/// If the settings have columns for the type in `line`, returns the defaults that show them: -o
/// custom-columns, and --output-watch-events unless the columns show events themselves.
std::vector<FlagDefault> columns_default(const TypedLine& line, const Settings& settings) {
  const std::vector<std::string> types = typed_types(line);
  if (types.size() != 1 || (line.command_id & (commands::watch | commands::get)) == 0) return {};
  const std::string type = type_of(types.front());
  for (const TypeColumns& one : settings.columns) {
    if (type_of(one.type) != type) continue;
    std::vector<FlagDefault> defaults;
    const auto add = [&](std::string flag, std::string value) {
      defaults.push_back({.flag = std::move(flag),
                          .values = {std::move(value)},
                          .level = SettingLevel::columns,
                          .origin = one.origin});
    };
    add("--output", "custom-columns=" + one.columns);
    const Result<CustomColumns> columns = CustomColumns::parse(one.columns);
    if (columns && !columns->shows_events()) add("--output-watch-events", "true");
    return defaults;
  }
  return {};
}

/// Returns the defaults for `line`, at most one for each flag, in the order of their levels.
/// Errors: usage, if the table of the command sets a flag that the command lacks.
Result<std::vector<FlagDefault>> chosen_defaults(const TypedLine& line, const Settings& settings) {
  std::vector<FlagDefault> chosen = columns_default(line, settings);
  for (const FlagDefault& one : settings.defaults) {
    if (!one.command.empty() && one.command != line.command) continue;
    const bool has_flag = row_of(line.command_id, one.flag) != nullptr;
    if (!has_flag && !one.command.empty()) {
      return fail(ErrorKind::usage, "{}: kinf {} has no flag {}", one.origin, line.command,
                  one.flag);
    }
    if (!has_flag) continue;
    std::erase_if(chosen, [&](const FlagDefault& other) { return other.flag == one.flag; });
    chosen.push_back(one);
  }
  std::erase_if(chosen, [&](const FlagDefault& one) { return line.has_flag(one.flag); });
  const bool has_columns = std::ranges::any_of(chosen, [](const FlagDefault& one) {
    return one.level == SettingLevel::columns && one.flag == "--output";
  });
  if (!has_columns) {
    std::erase_if(chosen,
                  [](const FlagDefault& one) { return one.level == SettingLevel::columns; });
  }
  return chosen;
}

/// Returns whether `line` contains a flag that sets the same thing as the flag of `row`.
bool gives_rival(const TypedLine& line, const FlagRow& row) {
  return std::ranges::any_of(line.flags, [&](const TypedFlag& typed) {
    return typed.row != nullptr && are_rivals(*typed.row, row) && !typed.is_off();
  });
}

/// Returns whether `line` names an object, which is not allowed with --all-namespaces.
bool names_object(const TypedLine& line) {
  if (line.command_id == commands::check) return false;  // its arguments are types
  const Result<std::vector<RequestedType>> types = parse_type_args(line.args);
  return types && std::ranges::any_of(*types, &RequestedType::has_exact_name);
}

/// Returns whether the value of the flag may be a list with commas.
bool takes_commas(const FlagRow& row) {
  using enum ValueKind;
  constexpr ValueKind kLists[] = {contexts, name_space, word_list, sort_paths, index_order};
  return std::ranges::find(kLists, row.kind) != std::end(kLists);
}

/// Returns the command-line words for the value `true` (the flag without a value) or `false` (no
/// words). Returns nullopt for other values and for flags that need a value.
std::optional<Words> switch_words(const FlagRow& row, const std::string& value) {
  const bool is_switch = !row.takes_value();
  if (!is_switch && row.bare.empty()) return std::nullopt;
  if (row.kind == ValueKind::choice && word_index(row, value)) return std::nullopt;
  if (value == "true" || (value == "1" && is_switch)) return Words{std::string(row.name)};
  if (value == "false" || (value == "0" && is_switch)) return Words{};
  return std::nullopt;
}

/// Returns one word, `--flag=value`, for each value. Errors: usage, if the flag does not take that
/// many values.
Result<Words> value_words(const FlagRow& row, Words values) {
  if (values.size() > 1 && takes_commas(row)) values = {fmt::format("{}", fmt::join(values, ","))};
  if (values.size() > 1 && !row.repeats) {
    return fail(ErrorKind::usage, "{} takes one value, not a list", row.name);
  }
  if (!values.empty() && !row.takes_value()) {
    return fail(ErrorKind::usage,
                "invalid argument \"{}\" for \"{}\" flag: it must be true or false", values.front(),
                row.name);
  }
  for (std::string& value : values) value = fmt::format("{}={}", row.name, value);
  return values;
}

/// Returns the words that set the flag of `row` in `command`. Errors: usage, for a value that
/// `command` rejects.
Result<Words> words_of(const FlagRow& row, const Words& values, std::string_view command) {
  if (values.size() == 1) {
    if (std::optional<Words> words = switch_words(row, values.front())) return *std::move(words);
  }
  Result<Words> words = value_words(row, values);
  if (!words) return words;
  TypedLine line;
  line.command = command;
  line.command_id = command_id(command);
  for (const std::string& word : *words) line.add(word);
  if (Result<void> fine = check_values(line); !fine) return fail(fine);
  return words;
}

/// Returns whether at least one command accepts the values of the default.
bool fits_some_command(const FlagDefault& one) {
  return std::ranges::any_of(command_rows(), [&](const CommandRow& command) {
    const FlagRow* const row = find_flag(one.flag, command.id);
    return row != nullptr && words_of(*row, one.values, command.name);
  });
}

}  // namespace

Result<std::vector<DefaultWords>> default_words(const TypedLine& line, const Settings& settings) {
  const Result<std::vector<FlagDefault>> chosen = chosen_defaults(line, settings);
  if (!chosen) return fail(chosen);
  std::vector<DefaultWords> all;
  for (auto one = chosen->rbegin(); one != chosen->rend(); ++one) {
    const FlagRow& row = *row_of(line.command_id, one->flag);
    if (gives_rival(line, row)) continue;
    if (one->flag == "--all-namespaces" && names_object(line)) continue;
    // Ignore a default of --watch-only unless --watch is given, because it would turn every `kinf
    // get` into a watch.
    const bool gets_once = line.command_id == commands::get && !line.has_flag("--watch");
    if (one->flag == "--watch-only" && gets_once) continue;
    Result<Words> words = words_of(row, one->values, line.command);
    if (!words && one->command.empty() && fits_some_command(*one)) continue;
    if (!words) return fail(std::move(words).error().within(one->origin));
    if (!words->empty()) all.push_back({one->flag, one->level, *std::move(words)});
  }
  return all;
}

std::vector<DefaultWords> taken_defaults(CommandSet command, std::vector<DefaultWords> defaults,
                                         const std::function<bool(const Words& words)>& fits) {
  std::vector<DefaultWords> taken;
  const auto yields = [&](const DefaultWords& one) {
    return std::ranges::any_of(taken, [&](const DefaultWords& other) {
      return other.level > one.level &&
             are_rivals(*row_of(command, other.flag), *row_of(command, one.flag));
    });
  };
  const auto take = [&](const DefaultWords& one) {
    if (yields(one) || !fits(one.words)) return false;
    taken.push_back(one);
    return true;
  };
  while (std::erase_if(defaults, take) > 0) {
  }
  return taken;
}

}  // namespace kinf
