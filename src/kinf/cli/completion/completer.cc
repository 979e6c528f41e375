// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/completion/completer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "kinf/cli/completion/completion_script.h"
#include "kinf/cli/completion/flag_values.h"
#include "kinf/cli/completion/object_words.h"
#include "kinf/cli/flags/flag_notes.h"
#include "kinf/cli/flags/help.h"
#include "kinf/demo/stages/stage.h"

namespace kinf {
namespace {

void add_commands(CandidateList& list) {
  for (const CommandSummary& command : command_summaries()) {
    list.add(command.name, command.summary);
  }
}

/// Returns the help of a command without the examples, which may name flags of other commands.
std::string help_without_examples(std::string_view command) {
  const std::string help = help_text(command);
  return help.substr(std::min(help.find("\nUsage: "), help.size()));
}

/// Returns whether the help of a command lists `flag`. A command declares more flags than it
/// accepts, and its help lists those that it accepts.
bool is_listed(std::string_view help, std::string_view flag) {
  for (std::size_t at = help.find(flag); at != std::string_view::npos;
       at = help.find(flag, at + 1)) {
    const std::size_t end = at + flag.size();
    if (end == help.size() ||
        (std::isalnum(static_cast<unsigned char>(help[end])) == 0 && help[end] != '-')) {
      return true;
    }
  }
  return false;
}

Completion complete_flag(const TypedLine& line) {
  const std::string help = help_without_examples(line.command);
  CandidateList list(line.word);
  for (const FlagInfo& flag : line.known_flags) {
    const bool is_accepted = line.command.empty() || is_listed(help, flag.name);
    if (!is_accepted || (line.has_flag(flag.name) && !flag.repeatable)) continue;
    const FlagNote* const note = note_of(flag.name, line.command);
    list.add(flag.name, note == nullptr ? std::string_view() : note->description);
    // Short flags only where they are the candidates, since all begin with one dash.
    if (line.word.size() == 2 && flag.short_name == line.word) list.add(flag.short_name);
  }
  return list.take();
}

Completion complete_stage(const TypedLine& line) {
  CandidateList list(line.word);
  if (line.args.empty()) {
    for (const DemoStage& stage : demo_stages()) list.add(stage.name, stage.summary);
  }
  return list.take();
}

bool takes_objects(std::string_view command) {
  constexpr std::array<std::string_view, 7> kTaking = {"watch", "get",    "index",  "wait",
                                                       "run",   "record", "history"};
  return std::ranges::find(kTaking, command) != kTaking.end();
}

Completion complete_argument(const TypedLine& line, CompletionWorld& world) {
  if (takes_objects(line.command)) return complete_object_argument(line, world);
  if (line.command == "demo") return complete_stage(line);
  if (line.command == "check") {
    CandidateList types(line.word, CandidateList::Form::list);
    add_types(types, world);
    return types.take();
  }
  CandidateList list(line.word);
  if (line.args.empty() && line.command == "help") add_commands(list);
  if (line.args.empty() && line.command == "completion") {
    for (const std::string_view shell : kCompletionShells) list.add(shell);
  }
  return list.take();
}

/// Shells replace the whole word `-nsh`, but only the text after the `=` of `-lapp=w`.
Completion complete_value(const TypedLine& line, CompletionWorld& world) {
  Completion completion = complete_flag_value(line, world);
  if (line.attached_to.empty()) return completion;
  const std::size_t equals = line.word.find('=');
  for (Candidate& one : completion.candidates) {
    one.text =
        equals == std::string::npos ? line.attached_to + one.text : one.text.substr(equals + 1);
  }
  return completion;
}

}  // namespace

Completion complete(const TypedLine& line, CompletionWorld& world) {
  if (line.after_dashes) return {.fallback = Fallback::files};
  if (!line.flag.empty()) return complete_value(line, world);
  if (line.word.starts_with('-')) return complete_flag(line);
  if (!line.command.empty()) return complete_argument(line, world);
  CandidateList list(line.word);
  add_commands(list);
  for (const Alias& alias : world.aliases()) {
    list.add(alias.name, fmt::format("{}", fmt::join(alias.words, " ")));
  }
  return list.take();
}

}  // namespace kinf
