// SPDX-License-Identifier: Apache-2.0
// FailureReporter: reports failures of lists and watches, and how long they have lasted, to the
// observer and the watch error handler.
#pragma once

#include <optional>

#include "kinf/informer/informer_observer.h"
#include "kinf/informer/informer_options.h"
#include "kinf/informer/user_call.h"

namespace kinf {

/// Threads: call last_error() from any thread and the other functions from the reflector's thread.
class FailureReporter {
 public:
  /// `observer` may be null. All references and `observer` must outlive the reporter.
  FailureReporter(const Clock& clock, const InformerOptions& options, InformerCounters& counters,
                  InformerObserver* observer);

  /// Counts and reports a failure. `in_client_go` is true if client-go, too, passes this failure to
  /// its WatchErrorHandler; Behaviour::strict ignores it and passes every failure on.
  void failed(InformerFailure::Doing doing, const Error& error, Clock::Duration retry_in,
              bool in_client_go);
  /// Call it when a list succeeded or a watch opened. Clears last_error() and reports the recovery.
  void succeeded();

  /// Returns the newest failure since the last success. Empty if there was none.
  std::optional<Error> last_error() const;

 private:
  const Clock& clock_;
  const InformerOptions& options_;
  InformerCounters& counters_;
  InformerObserver* observer_;
  std::optional<Clock::Mono> failing_since_;  ///< first failure since the last success
  /// First of the newest failures of the same ErrorKind.
  std::optional<Clock::Mono> this_kind_since_;
  mutable Mutex mu_;
  std::optional<Error> last_error_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
