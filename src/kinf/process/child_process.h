// SPDX-License-Identifier: Apache-2.0
// Child processes: starting a program without a shell, and running one to its end with a deadline,
// a bound on its output, and no way to outlive us. For exec plugins, the commands of `kinf run`,
// and the command behind `kinf sandbox --`.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/process/pipe.h"
#include "kinf/process/process_guard.h"

namespace kinf {

struct ChildCommand {
  std::string path;
  std::vector<std::string> arguments;    ///< without the program's own name
  std::vector<std::string> environment;  ///< `NAME=value`; of equal names the last counts
  /// It may read our standard input and stays in our process group, so that the terminal serves
  /// it; otherwise it reads nothing and leads a group of its own, which is killed with it.
  bool interactive = false;
  /// It takes our place in the terminal, as if the user's shell had started it: interactive, with
  /// our standard output, our open descriptors and the signals that we were told to ignore. It may
  /// outlive us.
  bool foreground = false;
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

/// A started program.
/// Threads: one owner, except that wait_for_end() may block in another thread meanwhile.
class ChildProcess {
 public:
  /// Errors: not_found (no such program), usage (it cannot be run), internal (no resources).
  static Result<std::unique_ptr<ChildProcess>> start(const ChildCommand& command);
  /// Kills it if it has not ended.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Blocks until it has ended. Its number stays its own until has_ended() is asked.
  void wait_for_end() const;
  /// Never blocks.
  bool has_ended() { return status_.has_value() || collect(WNOHANG); }
  /// Once it has ended; without output.
  ChildExit exit() const;
  /// To it, or to the group that it leads.
  void send(int signal) const;
  /// TERM, and KILL if it has not ended after `patience`. Blocks until it has ended.
  void terminate(Clock::Duration patience);

  /// What it prints, to be read without blocking; none if it prints to our standard output.
  int output() const { return output_.get(); }
  /// Blocks until it ends, `fd` (-1: none) can be read, or 20 ms have passed.
  void wait_a_slice(int fd) const;

 private:
  ChildProcess(pid_t pid, const ChildCommand& command, FileDescriptor output);
  bool collect(int flags);

  const pid_t pid_;
  const bool own_group_;
  ProcessGuard* const guard_;
  const FileDescriptor output_;
  const FileDescriptor handle_;  ///< a pidfd; none where the system has none
  std::optional<int> status_;
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
