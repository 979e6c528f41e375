// SPDX-License-Identifier: Apache-2.0
// Starts programs without a shell, and runs a program with a deadline and a limit on its output.
// Child processes do not outlive kinf. Used for exec plugins, the commands
// of `kinf run`, and the command after `kinf sandbox --`.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/base/limits.h"
#include "kinf/process/process_guard.h"

namespace kinf {

/// The program to run, and which of kinf's streams it shares.
struct ChildCommand {
  std::string path;
  std::vector<std::string> arguments;    ///< without the program's own name
  std::vector<std::string> environment;  ///< all entries `NAME=value`; the last one of a name wins
  /// The program reads kinf's standard input and stays in kinf's process group, so that it can use
  /// the terminal. If false, the program reads `input` or nothing, and leads its own process group,
  /// which is killed with the program.
  bool interactive = false;
  /// The program runs in the terminal as if the user's shell had started it. Implies `interactive`
  /// and `shares_output`. It inherits kinf's open descriptors and the signals that the shell set to
  /// be ignored. Its own children may outlive kinf.
  bool foreground = false;
  /// The text that the program reads from its standard input. Not used if `interactive`.
  std::optional<std::string> input;
  /// The program writes to kinf's standard output, and ChildExit::output stays empty.
  bool shares_output = false;
  /// The limit on the program's output, in bytes.
  std::size_t max_output = limits::kPluginOutputBytes;
  /// Called once by run_child() if the program still runs after `slow_after`. Must not block.
  std::function<void()> on_slow;
  Clock::Duration slow_after{};
  /// The time between SIGTERM and SIGKILL when the program is terminated.
  Clock::Duration patience = std::chrono::milliseconds(500);
  /// Kills the program's process group and its descendants if kinf is killed. If null, the kernel
  /// kills only the program itself, when the thread that started it ends. Must outlive the child.
  ProcessGuard* guard = nullptr;
};

/// How a program ended.
struct ChildExit {
  int code = 0;
  int signal = 0;      ///< the signal that killed the program, or 0; if not 0, ignore `code`
  std::string output;  ///< the program's standard output; standard error is shared with kinf
};

/// A started program.
/// Threads: one owner. Another thread may block in wait_for_end() at the same time.
class ChildProcess {
 public:
  /// Starts a program. Returns when exec has succeeded or failed. Errors: not_found (the program
  /// does not exist), usage (it cannot be run), internal (no memory or descriptors).
  static Result<std::unique_ptr<ChildProcess>> start(const ChildCommand& command);
  /// Kills the program if it has not ended, and waits for it.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Blocks until the program has ended. Its process id stays valid until has_ended() is called.
  void wait_for_end() const;
  /// Returns whether the program has ended. If so, frees its process id. Never blocks.
  bool has_ended() { return status_.has_value() || collect(WNOHANG); }
  /// Returns the exit code or signal, without the output. Call after has_ended() has returned true.
  ChildExit exit() const;
  /// Sends a signal to the program, or to its process group if it leads one.
  void send(int signal) const;
  /// Sends SIGTERM, and continues a stopped program. When the program has ended or `patience` has
  /// passed, sends SIGKILL, to the whole process group if the program leads one. Blocks until the
  /// program has ended.
  void terminate(Clock::Duration patience);

  /// Returns the non-blocking read end of the program's standard output; -1 if it shares kinf's.
  int output() const { return output_.get(); }
  /// Blocks until the program ends, `fd` (-1: none) is readable, or 20 ms have passed.
  void wait_a_slice(int fd) const;

 private:
  ChildProcess(pid_t pid, const ChildCommand& command, FileDescriptor output);
  bool collect(int flags);

  const pid_t pid_;
  const bool own_group_;
  ProcessGuard* const guard_;
  const FileDescriptor output_;
  const FileDescriptor handle_;  ///< a pidfd; not open if the system does not support it
  std::optional<int> status_;
};

/// Runs a program and blocks until it has ended. After that, kills the other processes in the
/// program's group if the command has a `guard`. Errors: those of ChildProcess::start();
/// unavailable (terminated at `deadline`), protocol (terminated because its output was too large),
/// stopped (terminated because of `stop`).
Result<ChildExit> run_child(const ChildCommand& command, Clock& clock, Clock::Mono deadline,
                            const std::stop_token& stop);

/// Returns `name` itself if it contains a slash, otherwise the path of the first executable `name`
/// in the PATH of `environment`. Skips relative folders in PATH. Returns "" if there is none.
/// Blocks on the disk.
std::string find_executable(const std::string& name, const std::vector<std::string>& environment);

}  // namespace kinf
