// SPDX-License-Identifier: Apache-2.0
// The command `kinf run` and its flags.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "kinf/cli/flags/informer_flags.h"
#include "kinf/query/update_filter.h"

namespace kinf {

/// The limits on when and how often `kinf run` runs a command.
struct RunLimits {
  int max_retries = 15;  ///< -1 means no limit
  Clock::Duration first_backoff = std::chrono::milliseconds(5);
  Clock::Duration longest_backoff = std::chrono::seconds(1000);
  /// How long an object must stay unchanged before its command runs.
  Clock::Duration debounce{};
  /// The minimum time between two starts of the command for one object.
  Clock::Duration min_interval{};
  std::size_t batch = 1;  ///< maximum number of objects in one run
};

struct RunCommand : InformerCommand {
  RunLimits limits;
  bool as_batch = false;  ///< true if --batch is given, even with 1
  int concurrency = 1;
  std::optional<Clock::Duration> command_timeout;
  bool no_initial = false;
  bool fail_fast = false;
  /// How long running commands may take to finish at shutdown.
  Clock::Duration drain = std::chrono::seconds(10);
  UpdateFilter filter;
  bool show_secrets = false;
  bool show_managed_fields = false;
  std::vector<std::string> command;  ///< the arguments after `--`
};

namespace rows {

/// Reads `MIN..MAX` (`5ms..1000s`), or `MIN` alone, which leaves the maximum unchanged.
Result<void> read_backoff(ParsedFlags& parsed, const FlagRow& row, const std::string& text);
Result<void> read_batch(ParsedFlags& parsed, const FlagRow& row, const std::string& text);

/// The maximum for --concurrency. ProcessGuard can only track a limited number of processes.
inline constexpr int kWorkersAtOnce = 1024;

// clang-format off
inline constexpr auto kRun = rows_with({.commands = commands::run}, {
    {.name = "--changed", .kind = ValueKind::path, .value = "PATH", .repeats = true,
     .help = "ignore updates that change nothing at this path (.data); repeat the flag for several "
             "paths", .note = "skip updates that change nothing at this path",
     .store = into<&FlagTexts::changed>},
    {.name = "--no-initial", .help = "skip the current objects",
     .store = into<&RunCommand::no_initial>},
    {.name = "--state", .kind = ValueKind::file, .value = "FILE",
     .help = "remember what succeeded; the next start runs the command only for what has changed "
             "since", .note = "remember what was handled for the next start",
     .refuses = kNotWithState,
     .store = parsed_into<parse_file_name, &InformerFlags::state, &StateFlags::file>},
    {.name = "--concurrency", .value = "N", .least = 1, .most = kWorkersAtOnce,
     .help = "run up to N at a time, for different objects (1)", .note = "commands at a time",
     .store = into<&RunCommand::concurrency>},
    {.name = "--batch", .value = "N", .least = 1,
     .help = "pass up to N objects to one run, as a JSON array", .note = "objects per run",
     .store = read_batch},
    {.name = "--debounce", .value = "D", .help = "wait until an object has not changed for D",
     .note = "wait until an object has not changed for this long",
     .store = into<&RunCommand::limits, &RunLimits::debounce>},
    {.name = "--min-interval", .value = "D", .help = "minimum time between two runs for an object",
     .note = "minimum time between runs for an object",
     .store = into<&RunCommand::limits, &RunLimits::min_interval>},
    {.name = "--max-retries", .value = "N", .least = -1, .most = 1'000'000,
     .help = "give up after N retries (15); -1: never", .note = "retries before giving up",
     .store = into<&RunCommand::limits, &RunLimits::max_retries>},
    {.name = "--backoff", .value = "MIN..MAX",
     .help = "delay before a retry, doubled each time (5ms..1000s)",
     .note = "delays before retries: MIN..MAX", .store = read_backoff},
    {.name = "--cmd-timeout", .value = "D",
     .help = "after D send TERM, 5 s later KILL; counts as failed",
     .note = "time limit for a command", .store = into<&RunCommand::command_timeout>},
    {.name = "--fail-fast", .help = "exit with 3 when kinf gives up on an object",
     .note = "exit when kinf gives up on an object", .store = into<&RunCommand::fail_fast>},
    {.name = "--drain", .value = "D", .help = "at the end, wait up to D for running commands (10s)",
     .note = "how long to wait for running commands at the end", .store = into<&RunCommand::drain>},
});
// clang-format on

}  // namespace rows
}  // namespace kinf
