// SPDX-License-Identifier: Apache-2.0
// The table of commands. Every list of commands in kinf is made from it.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "kinf/cli/flags/flag_row.h"

namespace kinf {

/// The shells that have a completion script.
inline constexpr std::array<std::string_view, 3> kCompletionShells = {"bash", "zsh", "fish"};

/// The kind of arguments that a command takes.
enum class Arguments {
  none,
  objects,  ///< TYPE[,TYPE...] [NAME...] or TYPE/NAME ...
  types,
  stage,
  shell,
  files,
  topic  ///< the name of a command
};

struct CommandRow {
  std::string_view name;
  CommandSet id = 0;
  std::string_view summary;  ///< for lists of commands: one line without a full stop
  Arguments arguments = Arguments::none;
  /// The help before the flags: what the command does, examples and usage. Empty if the command has
  /// no help of its own.
  std::string_view text{};
  std::string_view flags_title{"Flags:"};  ///< empty if `after_flags` describes the flags
  std::string_view output_title{};         ///< empty if all flags are below `flags_title`
  std::size_t column = 29;                 ///< the column at which the descriptions of flags begin
  std::string_view after_flags{};
  std::span<const HelpPart> paragraphs{};  ///< the paragraphs of flags at the end of the help
};

/// Returns the commands in the order of the help.
std::span<const CommandRow> command_rows();
/// Returns the row of the command `name`, or null if `name` is not a command.
const CommandRow* find_command(std::string_view name);
bool is_command(std::string_view name);
/// Returns the bit of the command `name`, or 0 if `name` is not a command.
CommandSet command_id(std::string_view name);

/// Returns the help of the command `topic`, or of the program if `topic` is empty.
std::string help_text(std::string_view topic);

/// Returns the version and compiler: `kinf 0.1.0 (g++ 12.2.0)`.
std::string version_text();

}  // namespace kinf
