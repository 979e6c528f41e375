// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/settings/settings.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/cli/flags/flag_table.h"

namespace kinf {
namespace {

/// Returns whether the variable is one that `kinf run` passes to its program. Such a variable does
/// not set a flag.
bool is_of_run(std::string_view name, bool in_run) {
  return name == "KINF_NAME" || name == "KINF_CLUSTER" || name == "KINF_COUNT" ||
         (name == "KINF_NAMESPACE" && in_run);
}

}  // namespace

const Alias* Settings::find_alias(std::string_view name) const {
  const auto found = std::ranges::find(aliases, name, &Alias::name);
  return found == aliases.end() ? nullptr : &*found;
}

bool can_have_default(std::string_view flag) {
  constexpr std::array<std::string_view, 3> kNever = {"--help", "--version", "--config"};
  const bool exists =
      std::ranges::any_of(flag_rows(), [&](const FlagRow* row) { return row->name == flag; });
  return exists && std::ranges::find(kNever, flag) == kNever.end();
}

std::optional<std::vector<std::string>> split_command(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      if (!std::exchange(in_word, true)) words.emplace_back();
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      in_word = false;
    } else {
      if (!std::exchange(in_word, true)) words.emplace_back();
      words.back() += c;
    }
  }
  if (quote != 0) return std::nullopt;
  return words;
}

std::vector<FlagDefault> environment_defaults(const std::vector<std::string>& variables) {
  constexpr std::string_view kPrefix = "KINF_";
  const bool in_run = std::ranges::any_of(
      variables, [](const std::string& one) { return one.starts_with("KINF_KEY="); });
  std::vector<FlagDefault> defaults;
  for (const std::string& variable : variables) {
    const std::size_t equals = variable.find('=');
    if (!variable.starts_with(kPrefix) || equals + 1 >= variable.size()) continue;
    const std::string name = variable.substr(0, equals);
    std::string flag = "--" + to_lower(name.substr(kPrefix.size()));
    std::ranges::replace(flag, '_', '-');
    if (!can_have_default(flag) || is_of_run(name, in_run)) continue;
    defaults.push_back({.flag = std::move(flag),
                        .values = {variable.substr(equals + 1)},
                        .level = SettingLevel::environment,
                        .origin = name});
  }
  return defaults;
}

}  // namespace kinf
