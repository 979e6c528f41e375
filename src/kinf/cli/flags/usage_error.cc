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

namespace {

/// A word that people guess, and the command line that does what they mean.
struct Guess {
  std::string_view word;
  std::string_view answer;
};

constexpr std::array kGuessedCommands = {
    Guess{"replay", "kinf watch TYPE --from FILE --speed 1"},
    Guess{"play", "kinf watch TYPE --from FILE --speed 1"},
    Guess{"timeline", "kinf history TYPE/NAME --from FILE"},
    Guess{"versions", "kinf history TYPE/NAME --from FILE"},
    Guess{"log", "kinf history TYPE/NAME --from FILE"},
    Guess{"diff", "kinf history TYPE/NAME --from FILE -d"},
    Guess{"show", "kinf get TYPE --from FILE --at T"},
    Guess{"ls", "kinf get TYPE"},
    Guess{"list", "kinf get TYPE"},
    Guess{"gaps", "kinf info FILE"},
    Guess{"stat", "kinf info FILE"},
    Guess{"stats", "kinf info FILE"},
    Guess{"verify", "kinf info FILE --check"},
    Guess{"fsck", "kinf info FILE --check"},
    Guess{"repair", "kinf copy FROM TO"},
    Guess{"export", "kinf copy FROM TO, or kinf watch TYPE --from FILE -o json"},
    Guess{"cut", "kinf copy FROM TO --since T --until-time T"},
    Guess{"events", "kinf watch events, or kinf get events"},
    Guess{"serve", "kinf sandbox --from FILE"},
};

/// A flag that people guess, and the flags that may do what they mean, separated by spaces.
constexpr std::array kGuessedFlags = {
    Guess{"--duration", "--for-duration --for --timeout"},
    Guess{"--tail", "--since"},
    Guess{"--follow", "--watch"},
    Guess{"--replay", "--from"},
    Guess{"--file", "--from --to"},
    Guess{"--output-file", "--to --record"},
    Guess{"--input", "--from"},
    Guess{"--start", "--since"},
    Guess{"--begin", "--since"},
    Guess{"--end", "--until-time"},
    Guess{"--until", "--until-time"},
    Guess{"--before", "--until-time"},
    Guess{"--after", "--since"},
    Guess{"--to-time", "--until-time"},
};

/// Returns what does what a guessed word means, or nothing.
template <std::size_t kSize>
std::string_view answer_to(std::string_view word, const std::array<Guess, kSize>& guesses) {
  const auto* const found = std::ranges::find(guesses, word, &Guess::word);
  return found == guesses.end() ? std::string_view() : found->answer;
}

/// Returns the first of `flags`, which spaces separate, that is in `known`; else nothing.
std::string first_of(std::string_view flags, const std::vector<std::string>& known) {
  while (!flags.empty()) {
    const std::string_view flag = flags.substr(0, flags.find(' '));
    if (std::ranges::find(known, flag) != known.end()) return std::string(flag);
    flags.remove_prefix(std::min(flag.size() + 1, flags.size()));
  }
  return {};
}

}  // namespace

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
  } else if (const std::string_view answer = answer_to(word, kGuessedCommands); !answer.empty()) {
    hint = fmt::format("use {};  {}", answer, hint);
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
  const std::string answer = first_of(answer_to(flag, kGuessedFlags), known);
  if (!answer.empty()) {
    hint = fmt::format("use {};  {}", answer, hint);
  } else if (!near.empty()) {
    hint = fmt::format("did you mean {}?  {}", near, hint);
  }
  return failure;
}

Result<void> first_conflict(std::string_view command, const std::vector<Conflict>& conflicts) {
  const auto first = std::ranges::find(conflicts, true, &Conflict::exists);
  if (first == conflicts.end()) return {};
  return usage(first->message, command);
}

}  // namespace kinf
