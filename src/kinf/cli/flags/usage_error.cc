// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/usage_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kinf/cli/flags/command_table.h"
#include "kinf/cli/flags/flag_table.h"
#include "kinf/client/type_names.h"

namespace kinf {

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

std::unexpected<Error> usage(std::string message, std::string_view command) {
  return fail(ErrorKind::usage, std::move(message))
      .with_hint(command.empty() ? "kinf --help lists the commands"
                                 : fmt::format("kinf {} --help lists the flags", command));
}

std::unexpected<Error> unknown_command(std::string_view word,
                                       const std::vector<std::string>& aliases) {
  constexpr std::array<std::string_view, 14> kKubectlCommands = {
      "annotate", "apply",   "create", "debug", "delete", "describe", "edit",
      "exec",     "explain", "label",  "logs",  "patch",  "scale",    "rollout"};
  std::vector<std::string> known;
  for (const CommandRow& command : command_rows()) known.emplace_back(command.name);
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

std::unexpected<Error> unknown_flag(std::string_view flag, std::string_view command) {
  if (!flag.starts_with("--")) {
    const FlagRow* const global = command.empty() ? nullptr : find_flag(flag[1], 0);
    // `kinf sandbox` does not accept most global flags. Name the long form of the flag.
    if (global != nullptr) return usage(fmt::format("unknown flag: {}", global->name), command);
    return usage(fmt::format("unknown shorthand flag: '{}' in {}", flag.substr(1, 1), flag),
                 command);
  }
  std::vector<std::string> known;
  for (const FlagRow* row : flags_of(command_id(command))) known.emplace_back(row->name);
  auto failure = usage(fmt::format("unknown flag: {}", flag), command);
  std::string& hint = failure.error().hint;
  const std::string near = did_you_mean(flag, known);
  if (!near.empty()) hint = fmt::format("did you mean {}?  {}", near, hint);
  return failure;
}

Result<void> first_conflict(std::string_view command, const std::vector<Conflict>& conflicts) {
  const auto first = std::ranges::find(conflicts, true, &Conflict::exists);
  if (first == conflicts.end()) return {};
  return usage(first->message, command);
}

}  // namespace kinf
