// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/completion/completer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kinf/cli/flags/command_table.h"
#include "kinf/cli/flags/flag_table.h"
#include "kinf/demo/stages/stage_table.h"

namespace kinf {
namespace {

void add_commands(CandidateList& list) {
  for (const CommandRow& command : command_rows()) list.add(command.name, command.summary);
}

Completion complete_flag(const TypedLine& line) {
  CandidateList list(line.word);
  std::vector<const FlagRow*> rows = flags_of(line.command_id);
  // The flags of the command come before the global ones.
  std::ranges::stable_partition(rows, [](const FlagRow* row) { return !row->is_global; });
  for (const FlagRow* row : rows) {
    const bool is_listed = line.command.empty() || (row->commands & line.command_id) != 0;
    if (!is_listed || (line.has_flag(row->name) && !row->repeats)) continue;
    list.add(row->name, row->description());
    // Offer a short flag only if the user has typed it completely, because all short flags begin
    // with the same dash.
    if (line.word.size() == 2 && row->letter != 0 && line.word[1] == row->letter) {
      list.add(line.word);
    }
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

Completion complete_argument(const TypedLine& line, CompletionWorld& world) {
  const CommandRow* const command = find_command(line.command);
  CandidateList list(line.word);
  if (command == nullptr) return list.take();
  const bool is_first = line.args.empty();
  switch (command->arguments) {
    case Arguments::objects: return complete_object_argument(line, world);
    case Arguments::types: {
      CandidateList types(line.word, CandidateList::Form::list);
      add_types(types, world);
      return types.take();
    }
    case Arguments::stage: return complete_stage(line);
    case Arguments::topic:
      if (is_first) add_commands(list);
      break;
    case Arguments::shell:
      for (const std::string_view shell : kCompletionShells) {
        if (is_first) list.add(shell);
      }
      break;
    case Arguments::files: return {.fallback = Fallback::files};
    case Arguments::none: break;
  }
  return list.take();
}

/// Completes the value of a flag. In a word such as `-nsh`, the shell replaces the whole word; in
/// `-lapp=w`, it replaces only the text after the `=`.
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
  if (line.has_dashes) return {.fallback = Fallback::files};
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
