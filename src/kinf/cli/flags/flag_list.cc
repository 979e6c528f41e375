// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/flag_list.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "kinf/cli/flags/parsed_flags.h"

namespace kinf {
namespace {

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('|', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::optional<FlagInfo> flag_info(const CLI::Option& option) {
  if (option.get_lnames().empty()) return std::nullopt;  // the arguments of a command
  FlagInfo info;
  info.name = "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) info.short_name = "-" + option.get_snames().front();
  info.takes_value = option.get_items_expected_max() > 0;
  info.has_optional_value = has_optional_value(info.name) || info.name == "--v";
  info.repeatable =
      info.takes_value && option.get_multi_option_policy() != CLI::MultiOptionPolicy::TakeLast;
  info.words = split_words(option.get_description());
  return info;
}

}  // namespace

std::vector<FlagInfo> flags_of(std::string_view command) {
  CLI::App app;
  ParsedFlags parsed;
  declare_flags(app, {std::string(command)}, parsed);
  std::vector<FlagInfo> flags;
  const auto add_flags_of = [&flags](const CLI::App& one) {
    for (const CLI::Option* option : one.get_options()) {
      if (std::optional<FlagInfo> info = flag_info(*option)) flags.push_back(*std::move(info));
    }
  };
  for (const CLI::App* one : app.get_subcommands({})) {
    if (one->get_name() == command) add_flags_of(*one);
  }
  add_flags_of(app);
  return flags;
}

}  // namespace kinf
