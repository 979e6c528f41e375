// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/settings/flag_defaults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>

#include "kinf/base/ascii.h"
#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/flag_notes.h"
#include "kinf/cli/flags/parse_error.h"
#include "kinf/cli/flags/type_args.h"
#include "kinf/print/custom_columns.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {
namespace {

using Words = std::vector<std::string>;

/// A flag, and those that choose the same thing in another way.
struct Rivals {
  std::string_view flag;
  std::span<const std::string_view> others;
};
constexpr std::string_view kOtherSources[] = {"--kubeconfig", "--context", "--cluster",   "--user",
                                              "--server",     "--token",   "--in-cluster"};
constexpr std::string_view kKubeconfigParts[] = {"--kubeconfig", "--context", "--cluster",
                                                 "--user"};
constexpr std::string_view kSandbox[] = {"--sandbox"};
constexpr std::string_view kNamespace[] = {"--namespace"};
constexpr Rivals kRivals[] = {{"--sandbox", kOtherSources},
                              {"--from", kOtherSources},
                              {"--from", kSandbox},
                              {"--in-cluster", kKubeconfigParts},
                              {"--all-namespaces", kNamespace}};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Returns whether two flags of `command` choose the same thing. The server of `kinf sandbox` is
/// its own, so that --token is that of its clients.
bool are_rivals(std::string_view command, std::string_view a, std::string_view b) {
  return command != "sandbox" && std::ranges::any_of(kRivals, [&](const Rivals& one) {
           return (one.flag == a && is_one_of(one.others, b)) ||
                  (one.flag == b && is_one_of(one.others, a));
         });
}

const FlagInfo* find_flag(const std::vector<FlagInfo>& flags, std::string_view name) {
  const auto found = std::ranges::find(flags, name, &FlagInfo::name);
  return found == flags.end() ? nullptr : &*found;
}

/// Returns the plural and the group of a built-in type, or `word`.
std::string type_of(const std::string& word) {
  const std::string lower = to_lower(word);
  const std::size_t dot = lower.find('.');
  const std::string name = lower.substr(0, dot);
  static const std::vector<SandboxType> types = Sandbox::types();
  const auto type = std::ranges::find_if(types, [&](const SandboxType& one) {
    const bool has_name = name == one.resource || name == one.singular ||
                          std::ranges::find(one.short_names, name) != one.short_names.end();
    return has_name && (dot == std::string::npos || lower.substr(dot + 1) == one.group);
  });
  return type == types.end() ? lower : type->resource + "." + type->group;
}

/// Returns the defaults that the columns of the type in `line` make, if any: -o, and an EVENT
/// column for changes.
std::vector<FlagDefault> columns_default(const TypedLine& line, const Settings& settings) {
  const std::vector<std::string> types = typed_types(line);
  if (types.size() != 1 || (line.command != "watch" && line.command != "get")) return {};
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

/// Returns the defaults for `line`, one for each flag, in the order of their levels. Errors: usage,
/// for a flag that the command of a table lacks.
Result<std::vector<FlagDefault>> chosen_defaults(const TypedLine& line, const Settings& settings) {
  std::vector<FlagDefault> chosen = columns_default(line, settings);
  for (const FlagDefault& one : settings.defaults) {
    if (!one.command.empty() && one.command != line.command) continue;
    const bool has_flag = find_flag(line.known_flags, one.flag) != nullptr;
    if (!has_flag && !one.command.empty()) {
      return fail(ErrorKind::usage,
                  fmt::format("{}: kinf {} has no flag {}", one.origin, line.command, one.flag));
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

/// Returns whether `line` gives a rival of `flag`.
bool gives_rival(const TypedLine& line, std::string_view flag) {
  return std::ranges::any_of(line.flags, [&](const TypedFlag& typed) {
    const FlagInfo* const info = find_flag(line.known_flags, typed.name);
    const bool is_switch = info != nullptr && !info->takes_value;
    const bool is_off = is_switch && (typed.value == "false" || typed.value == "0");
    return !is_off && are_rivals(line.command, typed.name, flag);
  });
}

/// Returns whether `line` names an object, which may not be in all namespaces.
bool names_object(const TypedLine& line) {
  if (line.command == "check") return false;  // its arguments are types
  const Result<std::vector<RequestedType>> types = parse_type_args(line.args);
  return types && std::ranges::any_of(*types, &RequestedType::has_exact_name);
}

/// Returns whether one value of the flag may be several with commas.
bool takes_commas(std::string_view flag, std::string_view command) {
  using enum ValueKind;
  constexpr ValueKind kLists[] = {contexts, name_space, word_list, sort_paths, index_order};
  const FlagNote* const note = note_of(flag, command);
  return note != nullptr && std::ranges::find(kLists, note->kind) != std::end(kLists);
}

/// Returns the words for a flag that is given, or not, without a value; nullopt for other values.
std::optional<Words> switch_words(const FlagInfo& flag, const std::string& value) {
  if (flag.takes_value && !flag.has_optional_value) return std::nullopt;
  if (std::ranges::find(flag.words, value) != flag.words.end()) return std::nullopt;
  if (value == "true" || (value == "1" && !flag.takes_value)) return Words{flag.name};
  if (value == "false" || (value == "0" && !flag.takes_value)) return Words{};
  return std::nullopt;
}

/// Returns one word for each value. Errors: usage, if the flag does not take as many.
Result<Words> value_words(const FlagInfo& flag, Words values, const std::string& command) {
  if (values.size() > 1 && takes_commas(flag.name, command)) {
    values = {fmt::format("{}", fmt::join(values, ","))};
  }
  if (values.size() > 1 && !flag.repeatable) {
    return fail(ErrorKind::usage, fmt::format("{} takes one value, not a list", flag.name));
  }
  if (!values.empty() && !flag.takes_value) {
    return fail(ErrorKind::usage,
                fmt::format("invalid argument \"{}\" for \"{}\" flag: it must be true or false",
                            values.front(), flag.name));
  }
  for (std::string& value : values) value = flag.name + "=" + value;
  return values;
}

/// Returns the words that set `flag` of `command`. Errors: usage, for a value that is wrong there.
Result<Words> words_of(const FlagInfo& flag, const Words& values, const std::string& command) {
  if (values.size() == 1) {
    if (std::optional<Words> words = switch_words(flag, values.front())) return *std::move(words);
  }
  Result<Words> words = value_words(flag, values, command);
  if (!words) return words;
  Words line = *words;
  if (!command.empty()) line.insert(line.begin(), command);
  if (Result<void> fine = check_values(line); !fine) {
    return std::unexpected(std::move(fine).error());
  }
  return words;
}

/// Returns whether a command takes the values.
bool fits_some_command(const FlagDefault& one) {
  return std::ranges::any_of(kCommands, [&](std::string_view command) {
    const std::vector<FlagInfo> flags = flags_of(command);
    const FlagInfo* const flag = find_flag(flags, one.flag);
    return flag != nullptr && words_of(*flag, one.values, std::string(command));
  });
}

}  // namespace

Result<std::vector<DefaultWords>> default_words(const TypedLine& line, const Settings& settings) {
  const Result<std::vector<FlagDefault>> chosen = chosen_defaults(line, settings);
  if (!chosen) return std::unexpected(chosen.error());
  std::vector<DefaultWords> all;
  for (auto one = chosen->rbegin(); one != chosen->rend(); ++one) {
    if (gives_rival(line, one->flag)) continue;
    if (one->flag == "--all-namespaces" && names_object(line)) continue;
    // Alone, it would make a watch of every get.
    const bool gets_once = line.command == "get" && !line.has_flag("--watch");
    if (one->flag == "--watch-only" && gets_once) continue;
    Result<Words> words =
        words_of(*find_flag(line.known_flags, one->flag), one->values, line.command);
    if (!words && one->command.empty() && fits_some_command(*one)) continue;
    if (!words) return std::unexpected(std::move(words).error().within(one->origin));
    if (!words->empty()) all.push_back({one->flag, one->level, *std::move(words)});
  }
  return all;
}

std::vector<DefaultWords> taken_defaults(std::string_view command,
                                         std::vector<DefaultWords> defaults,
                                         const std::function<bool(const Words& words)>& fits) {
  std::vector<DefaultWords> taken;
  const auto yields = [&](const DefaultWords& one) {
    return std::ranges::any_of(taken, [&](const DefaultWords& other) {
      return other.level > one.level && are_rivals(command, other.flag, one.flag);
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
