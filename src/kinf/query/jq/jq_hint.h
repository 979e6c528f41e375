// SPDX-License-Identifier: Apache-2.0
// Makes hints for jq expressions that cannot be used. Pure functions. Threads: any.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace kinf {

/// The message for a condition with an assignment.
inline constexpr std::string_view kAssigns = "= assigns a value, so the condition is always true";

/// Returns the position of the first single `=` outside of strings; npos if there is none.
std::size_t find_assignment(std::string_view program);

/// Returns what is wrong with a program: jq's message, such as `Failed/0 is not defined`, or
/// kAssigns. Returns an empty string if the program can be used.
using ProblemOf = std::function<std::string(const std::string& program)>;

/// Returns a hint for a program with this problem. Mends missing quotes and dots, and `=` in place
/// of `==`, but shows the result only if nothing is wrong with it. Calls `problem_of` at most four
/// times.
std::string jq_hint(std::string_view program, std::string problem, const ProblemOf& problem_of);

}  // namespace kinf
