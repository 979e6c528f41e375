// SPDX-License-Identifier: Apache-2.0
// SignalSource: receives the signals that end a command, through a descriptor for poll(). The
// signals must be blocked in all threads.
#pragma once

#include <csignal>
#include <memory>

namespace kinf {

/// Threads: one owner, and one thread that calls listen(), then waits for the descriptor.
class SignalSource {
 public:
  virtual ~SignalSource() = default;
  /// Starts to receive signals. Call it once, on the thread that waits for the descriptor.
  virtual void listen() = 0;
  virtual int descriptor() const = 0;
  /// Returns the next signal, or 0 if none has arrived. Never blocks.
  virtual int next() = 0;
};

/// Returns SIGINT and SIGTERM.
sigset_t ending_signals();

/// Returns the source that suits this system best: a signalfd on Linux, elsewhere a pipe.
std::unique_ptr<SignalSource> make_signal_source();

/// Returns a source that works on any POSIX system: a signal handler writes to a pipe. The handler
/// runs on the thread that called listen(). At most one such source may exist.
std::unique_ptr<SignalSource> make_signal_pipe();

}  // namespace kinf
