// SPDX-License-Identifier: Apache-2.0
// Child processes: starts a program without a shell, and runs one to its end with a deadline and a
// limit on its output, so that it does not outlive kinf. Used for exec plugins, the commands of
// `kinf run`, and the command after `kinf sandbox --`.
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

/// What to run, and how it shares kinf's streams.
struct ChildCommand {
  std::string path;
  std::vector<std::string> arguments;  ///< without the program's own name
  std::vector<std::string>
      environment;  ///< `NAME=value`, its whole environment; the last of equal names counts
  /// It may read kinf's standard input and stays in kinf's process group, so that it can use the
  /// terminal. Otherwise it reads nothing and leads a process group of its own, which is killed
  /// with it.
  bool interactive = false;
  /// It runs in the terminal as if the user's shell had started it: interactive, with kinf's
  /// standard output, its open descriptors and the signals that kinf was started to ignore. It may
  /// outlive kinf.
  bool foreground = false;
  /// Its standard input; not if interactive.
  std::optional<std::string> input;
  /// It prints to kinf's standard output, and ChildExit::output stays empty.
  bool shares_output = false;
  /// The most that it may print, in bytes.
  std::size_t max_output = std::size_t{1} << 20;
  /// How long it may take to end after SIGTERM before it gets SIGKILL.
  Clock::Duration patience = std::chrono::milliseconds(500);
  /// Kills its process group if kinf is killed. Null: only the program itself is killed, when the
  /// thread that started it ends. Must outlive the child.
  ProcessGuard* guard = nullptr;
};

/// How a program ended.
struct ChildExit {
  int code = 0;
  int signal = 0;      ///< the signal that killed it, or 0; `code` is not valid then
  std::string output;  ///< what it printed to standard output; standard error is shared
};

/// A started program.
/// Threads: one owner. wait_for_end() may block in another thread meanwhile.
class ChildProcess {
 public:
  /// Starts a program; returns when it runs. Errors: not_found (there is no such program), usage
  /// (it cannot be run), internal (no memory or descriptors).
  static Result<std::unique_ptr<ChildProcess>> start(const ChildCommand& command);
  /// Kills it if it has not ended, and waits for it.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Blocks until it has ended. Its process id stays valid until has_ended() is called.
  void wait_for_end() const;
  /// Whether it has ended; if so, frees its process id. Never blocks.
  bool has_ended() { return status_.has_value() || collect(WNOHANG); }
  /// How it ended, without its output. Call after has_ended() returned true.
  ChildExit exit() const;
  /// Sends a signal to it, or to the process group that it leads.
  void send(int signal) const;
  /// Sends SIGTERM, and SIGKILL if it has not ended after `patience`. Blocks until it has ended.
  void terminate(Clock::Duration patience);

  /// The read end of its standard output, which does not block; -1 if it prints to kinf's.
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

/// Runs a program and blocks until it has ended. Other processes in its group stay, but are killed
/// if there is a guard. Errors: as ChildProcess::start(); unavailable (killed at `deadline`),
/// protocol (killed because it printed too much), stopped (killed because of `stop`). To kill is to
/// send SIGTERM, then SIGKILL.
Result<ChildExit> run_child(const ChildCommand& command, Clock& clock, Clock::Mono deadline,
                            const std::stop_token& stop);

/// Returns the executable called `name`: the name itself if it has a slash, else the first one in
/// the PATH of `environment`. Skips relative folders in PATH. Empty if there is none. Blocks on the
/// disk.
std::string find_executable(const std::string& name, const std::vector<std::string>& environment);

}  // namespace kinf
