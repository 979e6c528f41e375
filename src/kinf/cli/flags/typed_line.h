// SPDX-License-Identifier: Apache-2.0
// TypedLine: the words of a command line, read by the table of flags. The parser, the settings and
// completion start from it. Accepts unknown flags, commands and wrong values; the parser has CLI11
// check the words a second time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/cli/flags/flag_row.h"

namespace kinf {

struct GlobalFlags;

struct TypedFlag {
  std::string name;  ///< `--output`, also if `-o` was typed; for an unknown flag, as typed
  std::string value{};
  bool has_value = false;
  const FlagRow* row = nullptr;  ///< null: the command has no such flag

  /// Returns its value, or what a flag without one stands for.
  std::string text() const;
  /// Returns whether it is a switch that is turned off: `--watch=no`.
  bool is_off() const;
};

struct TypedLine {
  std::string command;            ///< empty: none is typed yet, or an empty word
  bool has_command = false;       ///< a word is in the place of the command
  CommandSet command_id = 0;      ///< 0: none, or not a command of kinf
  std::string late_command;       ///< a command after a word that is not one: `kinf frob get`
  std::size_t command_at = 0;     ///< the index of the command among the words
  std::vector<std::string> args;  ///< the arguments, without a word that is being completed
  std::vector<TypedFlag> flags;
  bool has_dashes = false;            ///< there is a `--`
  std::vector<std::string> trailing;  ///< the words after it

  // The last word, if it is being completed:
  std::string word;         ///< without `--output=` before a value
  std::string flag;         ///< the flag whose value it is, or empty
  std::string attached_to;  ///< the `-n` of a word such as `-nshop`, or empty

  /// Returns the last value of a flag, or null.
  const TypedFlag* find(std::string_view name) const;
  bool has_flag(std::string_view name) const { return find(name) != nullptr; }
  /// Returns whether a flag has an effect: it is given, and its last value is neither neutral nor
  /// empty, unless its row says that an empty one counts.
  bool is_set(std::string_view name) const;
  /// Adds `--flag` or `--flag=value`.
  void add(const std::string& text);
};

/// Reads the words after `kinf`. The last one, which may be empty, is being completed.
TypedLine read_typed_line(const std::vector<std::string>& words);

/// Reads all words after `kinf`; none is being completed. `flag` is one whose value is missing.
TypedLine read_complete_line(const std::vector<std::string>& words);

/// Returns the types that the arguments of `line` name.
std::vector<std::string> typed_types(const TypedLine& line);

/// Checks the value of each flag in `line` by itself, not whether the flags fit each other or
/// something is missing. Errors: usage.
Result<void> check_values(const TypedLine& line);

/// Returns the global flags in `line`. Flags with wrong values count as not given.
GlobalFlags global_flags(const TypedLine& line);

}  // namespace kinf
