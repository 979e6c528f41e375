// SPDX-License-Identifier: Apache-2.0
// Running a program to its end: no shell, a deadline, a bound on its output, and no way to outlive
// us. For exec plugins and the commands of `kinf run`.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/client/process_guard.h"

namespace kinf {

struct ChildCommand {
  std::string path;
  std::vector<std::string> arguments;    ///< without the program's own name
  std::vector<std::string> environment;  ///< `NAME=value`; of equal names the last counts
  /// It may read our standard input and stays in our process group, so that the terminal serves
  /// it; otherwise it reads nothing and leads a group of its own, which is killed with it.
  bool interactive = false;
  /// What it reads instead of nothing.
  std::optional<std::string> input;
  /// It prints to our standard output; ChildExit::output stays empty.
  bool shares_output = false;
  std::size_t max_output = std::size_t{1} << 20;
  /// How long it may take to end after TERM before it gets KILL.
  Clock::Duration patience = std::chrono::milliseconds(500);
  /// Kills its group if we are killed; null: only the program itself then dies with the thread that
  /// runs it. Outlives the call.
  ProcessGuard* guard = nullptr;
};

struct ChildExit {
  int code = 0;
  int signal = 0;      ///< not zero: what killed it; `code` means nothing then
  std::string output;  ///< standard output; standard error is ours
};

/// Blocks until the program has ended; what it leaves behind in its group stays, but with a guard
/// is killed then. Errors: not_found (no such
/// program), usage (it cannot be run), unavailable (killed at `deadline`), protocol (killed for
/// printing too much), stopped (killed because of `stop`). Killing is TERM, then KILL.
Result<ChildExit> run_child(const ChildCommand& command, Clock& clock, Clock::Mono deadline,
                            const std::stop_token& stop);

/// The executable that `name` stands for: itself if it has a slash, else the first in the PATH of
/// `environment`. Relative folders in PATH are passed over. Empty: there is none.
std::string find_executable(const std::string& name, const std::vector<std::string>& environment);

}  // namespace kinf
