// SPDX-License-Identifier: Apache-2.0
// The command `kinf wait` and its flags.
#pragma once

#include <chrono>

#include "kinf/cli/flags/output_flags.h"
#include "kinf/cli/flags/wait_goal.h"

namespace kinf {

struct WaitCommand : InformerCommand {
  WaitGoal goal;
  bool has_output = false;  ///< -o is given
  OutputFlags output;       ///< the format of -o, and other flags for output
  bool all = false;
  /// How long to wait. 0 means to check once, when the initial lists are complete.
  Clock::Duration timeout = std::chrono::seconds(30);
};

namespace rows {

inline constexpr std::string_view kConditions = "create delete condition= rollout jsonpath= jq=";

// clang-format off
inline constexpr auto kWait = rows_with({.commands = commands::wait}, {
    {.name = "--for", .kind = ValueKind::condition, .value = "CONDITION", .words = kConditions,
     .repeats = true,
     .help = "create, delete, condition=TYPE[=VALUE] (true), rollout[=REVISION], "
             "jsonpath=PATH[=VALUE] or jq=EXPR; repeat the flag for several conditions", .note = "condition to wait for",
     .store = into<&FlagTexts::conditions>},
    {.name = "--any", .help = "one condition is enough",
     .store = into<&WaitCommand::goal, &WaitGoal::any>},
    {.name = "--fail-on", .kind = ValueKind::condition, .value = "CONDITION", .words = kConditions,
     .repeats = true, .help = "exit with 3 when this holds (repeatable)",
     .note = "condition that ends with 3", .store = into<&FlagTexts::failures>},
    {.name = "--all", .help = "wait for all objects of the type, and at least one",
     .note = "all objects of the type", .store = into<&WaitCommand::all>},
    {.name = "--count", .value = "RULE",
     .help = "the number of objects that satisfy the conditions, instead of all: '>=3', '<2' or 0; "
             "without --for, the number of objects",
     .note = "number of objects that satisfy the conditions",
     .store = parsed_into<CountRule::parse, &WaitCommand::goal, &WaitGoal::count>},
    {.name = "--ever", .help = "a condition counts once it has held",
     .store = into<&WaitCommand::goal, &WaitGoal::ever>},
    {.name = "--for-duration", .value = "D", .help = "everything must hold for D without a break",
     .note = "how long everything must hold",
     .store = into<&WaitCommand::goal, &WaitGoal::duration>},
    {.name = "--timeout", .value = "D",
     .help = "give up after D (30s); 0 checks once, less than 0 waits for a week",
     .note = "exit after this time",
     .store = parsed_into<parse_kubectl_timeout, &LimitFlags::timeout>},
});
// clang-format on

}  // namespace rows
}  // namespace kinf
