// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/parse_error.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "kinf/cli/flags/usage_error.h"
#include "kinf/client/type_names.h"

namespace kinf {
namespace {

/// Returns the candidate closest to `word`, or an empty string if none is close.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t limit = word.size() <= 3 ? 2 : 3;  // the distance must be below this
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < limit) {
      limit = distance;
      best = candidate;
    }
  }
  return best;
}

std::unexpected<Error> unknown_flag(const CLI::App& app, std::string_view flag,
                                    std::string_view command) {
  std::vector<std::string> known;
  const auto add_flags_of = [&](const CLI::App& one) {
    for (const CLI::Option* option : one.get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  };
  add_flags_of(app);
  for (const CLI::App* one : app.get_subcommands()) add_flags_of(*one);
  auto failure = usage(fmt::format("unknown flag: {}", flag), command);
  std::string& hint = failure.error().hint;
  const std::string near = did_you_mean(flag, known);
  if (!near.empty()) hint = fmt::format("did you mean {}?  {}", near, hint);
  return failure;
}

}  // namespace

bool is_command(std::string_view name) {
  return std::ranges::find(kCommands, name) != kCommands.end();
}

std::unexpected<Error> unknown_command(std::string_view word,
                                       const std::vector<std::string>& aliases) {
  constexpr std::array<std::string_view, 14> kKubectlCommands = {
      "annotate", "apply",   "create", "debug", "delete", "describe", "edit",
      "exec",     "explain", "label",  "logs",  "patch",  "scale",    "rollout"};
  std::vector<std::string> known(kCommands.begin(), kCommands.end());
  known.insert(known.end(), aliases.begin(), aliases.end());
  auto failure = usage(fmt::format("unknown command \"{}\" for \"kinf\"", word), "");
  std::string& hint = failure.error().hint;
  if (std::ranges::find(kKubectlCommands, word) != kKubectlCommands.end()) {
    hint = fmt::format("use kubectl: kubectl {};  {}", word, hint);
  } else if (const std::string near = did_you_mean(word, known); !near.empty()) {
    hint = fmt::format("did you mean \"{}\"?  {}", near, hint);
  } else {
    hint += fmt::format("; to list a resource type: kinf get {}", word);
  }
  return failure;
}

std::unexpected<Error> parse_error(const CLI::App& app, const CLI::ParseError& error,
                                   std::string_view command) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> unknown = app.remaining(true);
    const auto is_flag = [](const std::string& word) {
      return word.size() > 1 && word.starts_with('-');
    };
    // Without a command, its flags are unknown too. Report the command.
    const auto argument = std::ranges::find_if_not(unknown, is_flag);
    if (command.empty() && argument != unknown.end()) return unknown_command(*argument);
    const auto flag = std::ranges::find_if(unknown, is_flag);
    if (flag == unknown.end()) {
      return usage(fmt::format("unexpected argument \"{}\"", *argument), command);
    }
    if (flag->starts_with("--"))
      return unknown_flag(app, flag->substr(0, flag->find('=')), command);
    return usage(fmt::format("unknown shorthand flag: '{}' in {}", (*flag)[1], *flag), command);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return usage("flag needs an argument: " + text.substr(0, text.find(':')), command);
  }
  return usage(text, command);
}

}  // namespace kinf
