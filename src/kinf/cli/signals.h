// SPDX-License-Identifier: Apache-2.0
// Waits for signals and for the reader of stdout to close it. The first Ctrl-C ends the command
// cleanly; a second one ends the process at once.
#pragma once

#include <thread>

#include "kinf/cli/exit_request.h"

namespace kinf {

/// Blocks SIGINT and SIGTERM and ignores SIGPIPE and SIGXFSZ. Call it before starting any thread.
void prepare_signals();

/// Threads: starts one; the destructor stops and joins it.
class SignalWatcher {
 public:
  /// Sets the exit code on SIGINT and SIGTERM, and when the reader of a stdout pipe closes it.
  /// `exit_request` must outlive this object.
  explicit SignalWatcher(ExitRequest& exit_request);
  ~SignalWatcher();
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

 private:
  void run(const std::stop_token& stop);

  ExitRequest& exit_request_;
  int signals_;  ///< signalfd
  int wake_;     ///< eventfd: written to stop the thread
  std::jthread thread_;
};

}  // namespace kinf
