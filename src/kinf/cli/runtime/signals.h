// SPDX-License-Identifier: Apache-2.0
// Waits for signals and for the reader of stdout to close it. The first Ctrl-C ends the command
// cleanly; a second one ends the process at once.
#pragma once

#include <memory>
#include <thread>

#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/cli/runtime/signal_source.h"

namespace kinf {

/// Makes a write to a closed pipe, and to a file that gets too large, an error of write() instead
/// of a signal that ends the process.
void ignore_write_signals();

/// Blocks SIGINT and SIGTERM. Call it before starting any thread.
void prepare_signals();

/// Threads: starts one; the destructor stops and joins it.
class SignalWatcher {
 public:
  /// Sets the exit code on SIGINT and SIGTERM, and when the reader of a stdout pipe closes it.
  /// `exit_request` must outlive this object.
  /// Errors: internal (no descriptors).
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
