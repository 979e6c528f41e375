// SPDX-License-Identifier: Apache-2.0
// TypedLine: a command line up to the cursor, whose last word is being completed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/flag_list.h"

namespace kinf {

struct TypedFlag {
  std::string name;  ///< `--output`, also if `-o` was typed
  std::string value;
};

struct TypedLine {
  std::string command;            ///< empty: none is typed yet
  std::size_t command_at = 0;     ///< the index of the command among the words
  std::vector<std::string> args;  ///< the arguments of the command before the last word
  std::vector<TypedFlag> flags;
  std::vector<FlagInfo> known_flags;  ///< those of the command
  std::string flag;                   ///< the last word is the value of this flag, or empty
  std::string word;                   ///< the last word; without `--output=` before a value
  std::string attached_to;            ///< the `-n` of a last word such as `-nshop`, or empty
  bool after_dashes = false;          ///< the last word belongs to the command after `--`

  bool has_flag(std::string_view name) const;
};

/// Reads the words after `kinf`. The last one, which may be empty, is being completed. Accepts
/// unknown flags, commands and values.
TypedLine read_typed_line(const std::vector<std::string>& words);

/// Reads all words after `kinf`; none is being completed.
TypedLine read_complete_line(std::vector<std::string> words);

/// Returns the types that the arguments of `line` name.
std::vector<std::string> typed_types(const TypedLine& line);

/// Returns the global flags in `line`. Flags with wrong values count as not given.
GlobalFlags typed_global_flags(const TypedLine& line);

}  // namespace kinf
