// SPDX-License-Identifier: Apache-2.0
// Signals: the one place that waits for them, and for the reader of stdout to close. The first
// Ctrl-C ends the command cleanly, a second one ends the process at once.
#pragma once

#include <thread>

#include "kinf/cli/exit_request.h"

namespace kinf {

/// Blocks SIGINT and SIGTERM and ignores SIGPIPE; to be called before any thread is started.
void prepare_signals();

/// Threads: its own; ends and joins it in the destructor.
class SignalWatcher {
 public:
  /// Sets the exit code on SIGINT and SIGTERM, and when the reader of a pipe on stdout has gone.
  /// `exit_request` must outlive this.
  explicit SignalWatcher(ExitRequest& exit_request);
  ~SignalWatcher();
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

 private:
  void run(const std::stop_token& stop);

  ExitRequest& exit_request_;
  int signals_;  ///< signalfd
  int wake_;     ///< eventfd: written to when the thread shall end
  std::jthread thread_;
};

}  // namespace kinf
