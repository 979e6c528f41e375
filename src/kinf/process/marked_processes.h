// SPDX-License-Identifier: Apache-2.0
// Finds processes by a mark in their environment, which their descendants inherit, also those that
// start a session or a process group of their own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinf {

/// Adds `mark` to the variable of marks in `environment` (entries NAME=value). Keeps the marks of
/// an outer kinf.
void add_mark(std::vector<std::string>& environment, std::string_view mark);

/// Kills all processes of this user whose environment contains `mark`, except this one, until there
/// are none. Blocks for as long as they take to end, a few seconds at most. Needs the /proc of
/// Linux; elsewhere it does nothing. Does not find processes that have cleared their environment.
/// Only makes system calls.
void kill_marked(std::string_view mark);

}  // namespace kinf
