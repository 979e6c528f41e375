// SPDX-License-Identifier: Apache-2.0
// The table of flags: the rows of all files `*_flags.h`.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "kinf/cli/flags/flag_row.h"

namespace kinf {

/// Returns the rows of all flags. A flag that differs between commands has several rows.
std::span<const FlagRow* const> flag_rows();

/// Returns the flags that the parser of `command` knows. If `command` is 0, returns the flags that
/// may precede a command.
std::vector<const FlagRow*> flags_of(CommandSet command);

/// Returns the row of the flag `name`, such as `--output`, in a command, or of the global flag if
/// `command` is 0. Returns null if there is none.
const FlagRow* find_flag(std::string_view name, CommandSet command);
/// Like the overload above, for a short flag: `letter` is the `o` of `-o`.
const FlagRow* find_flag(char letter, CommandSet command);

/// Returns whether the two flags set the same thing in different ways, such as --namespace and
/// --all-namespaces.
bool are_rivals(const FlagRow& a, const FlagRow& b);

}  // namespace kinf
