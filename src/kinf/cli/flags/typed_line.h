// SPDX-License-Identifier: Apache-2.0
// TypedLine: the words of a command line, split into command, arguments and flags. The parser, the
// settings and completion start from it. Unknown flags, unknown commands and wrong values are
// accepted here; the parser rejects them later.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/cli/flags/flag_row.h"

namespace kinf {

struct GlobalFlags;

struct TypedFlag {
  std::string name;  ///< `--output`, even if `-o` was typed; an unknown flag as typed
  std::string value{};
  bool has_value = false;
  const FlagRow* row = nullptr;  ///< null if the command has no such flag

  /// Returns the value. For a flag without a value, returns FlagRow::bare, or `true` for a switch.
  std::string text() const;
  /// Returns whether the flag is a switch that is turned off, as in `--watch=no`.
  bool is_off() const;
};

struct TypedLine {
  std::string command;            ///< empty if there is no command yet, or its word is empty
  bool has_command = false;       ///< there is a word for the command, even an unknown one
  CommandSet command_id = 0;      ///< 0 if there is no command or it is unknown
  std::string late_command;       ///< a command after an unknown one: `get` in `kinf frob get`
  std::size_t command_at = 0;     ///< the index of the command among the words
  std::vector<std::string> args;  ///< the arguments, except a word that is being completed
  std::vector<TypedFlag> flags;
  bool has_dashes = false;            ///< there is a `--`
  std::vector<std::string> trailing;  ///< the words after `--`

  // The last word, if it is being completed:
  std::string word;         ///< the word; for a value, only the text after `--output=`
  std::string flag;         ///< the flag that `word` is a value of; empty if it is not a value
  std::string attached_to;  ///< the `-n` of a word such as `-nshop`; otherwise empty

  /// Returns the last occurrence of a flag, or null if it is not given.
  const TypedFlag* find(std::string_view name) const;
  bool has_flag(std::string_view name) const { return find(name) != nullptr; }
  /// Returns whether a flag has an effect: it is given, and its last value is not neutral
  /// (FlagRow::neutral), not false for a switch, and not empty (unless FlagRow::takes_empty).
  bool is_set(std::string_view name) const;
  /// Adds `--flag` or `--flag=value`.
  void add(const std::string& text);
};

/// Reads the words after `kinf`. The last word, which may be empty, is being completed.
TypedLine read_typed_line(const std::vector<std::string>& words);

/// Reads all words after `kinf`. No word is being completed. If the value of the last flag is
/// missing, TypedLine::flag names that flag.
TypedLine read_complete_line(const std::vector<std::string>& words);

/// Returns the types that the arguments of `line` name.
std::vector<std::string> typed_types(const TypedLine& line);

/// Checks each flag value in `line` separately. Does not check whether the flags fit each other or
/// whether something is missing. Errors: usage.
Result<void> check_values(const TypedLine& line);

/// Returns the global flags in `line`. Ignores wrong values.
GlobalFlags global_flags(const TypedLine& line);

}  // namespace kinf
