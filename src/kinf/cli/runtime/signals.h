// SPDX-License-Identifier: Apache-2.0
// Waits for signals, and for the reader of stdout to close its end of the pipe. The first Ctrl-C
// ends the command cleanly; a second one ends the process at once.
#pragma once

#include <memory>
#include <thread>

#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/cli/runtime/signal_source.h"

namespace kinf {

/// Ignores SIGPIPE and SIGXFSZ, so that a write to a closed pipe, or to a file that gets too large,
/// returns an error instead of ending the process.
void ignore_write_signals();

/// Blocks SIGINT and SIGTERM. Call it before starting any thread.
void prepare_signals();

/// Threads: starts one; the destructor stops and joins it.
class SignalWatcher {
 public:
  /// Starts a thread that sets the exit code on SIGINT and SIGTERM, and when stdout is a pipe whose
  /// reader closes it. `exit_request` must outlive this object.
  /// Errors: internal, if no descriptors are left.
  static Result<std::unique_ptr<SignalWatcher>> start(
      ExitRequest& exit_request, std::unique_ptr<SignalSource> source = make_signal_source());
  ~SignalWatcher();
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

 private:
  SignalWatcher(ExitRequest& exit_request, std::unique_ptr<SignalSource> source);
  void run(const std::stop_token& stop);

  ExitRequest& exit_request_;
  const std::unique_ptr<SignalSource> source_;
  const WakeEvent wake_;  ///< signalled to stop the thread
  std::jthread thread_;
};

}  // namespace kinf
