// SPDX-License-Identifier: Apache-2.0
// The table of commands. Every list of commands is a query on it.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "kinf/cli/flags/flag_row.h"

namespace kinf {

/// The shells that have a completion script.
inline constexpr std::array<std::string_view, 3> kCompletionShells = {"bash", "zsh", "fish"};

/// What the arguments of a command are.
enum class Arguments {
  none,
  objects,  ///< TYPE[,TYPE...] [NAME...] or TYPE/NAME ...
  types,
  stage,
  shell,
  topic  ///< the name of a command
};

struct CommandRow {
  std::string_view name;
  CommandSet id = 0;
  std::string_view summary;  ///< for lists of commands: one line without a full stop
  Arguments arguments = Arguments::none;
  /// The help up to the flags: what the command does, examples, usage. Empty: it has no help.
  std::string_view text{};
  std::string_view flags_title{"Flags:"};  ///< empty: `after_flags` describes the flags
  std::string_view output_title{};         ///< empty: all flags are below `flags_title`
  std::size_t column = 29;                 ///< of the descriptions of flags
  std::string_view after_flags{};
  std::span<const HelpPart> paragraphs{};  ///< the last part of the help
};

/// Returns the commands in the order of the help.
std::span<const CommandRow> command_rows();
/// Returns null for a word that is not a command.
const CommandRow* find_command(std::string_view name);
bool is_command(std::string_view name);
/// Returns the bit of a command, or 0 for another word.
CommandSet command_id(std::string_view name);

/// Returns the help of the command `topic`, or of the program if `topic` is empty.
std::string help_text(std::string_view topic);

/// Returns the version and compiler: `kinf 0.1.0 (g++ 12.2.0)`.
std::string version_text();

}  // namespace kinf
