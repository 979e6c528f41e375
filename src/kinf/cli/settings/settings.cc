// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/settings/settings.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kinf/cli/flags/flag_notes.h"

namespace kinf {

const Alias* Settings::find_alias(std::string_view name) const {
  const auto found = std::ranges::find(aliases, name, &Alias::name);
  return found == aliases.end() ? nullptr : &*found;
}

bool can_have_default(std::string_view flag) {
  constexpr std::array<std::string_view, 3> kNever = {"--help", "--version", "--config"};
  const bool exists = std::ranges::find(flag_notes(), flag, &FlagNote::flag) != flag_notes().end();
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

}  // namespace kinf
