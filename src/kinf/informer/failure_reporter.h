// SPDX-License-Identifier: Apache-2.0
// FailureReporter: reports failures of lists and watches, and how long they have lasted, to the
// observer and the watch error handler.
#pragma once

#include <optional>

#include "kinf/informer/informer_counters.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/informer_options.h"

namespace kinf {

/// Threads: last_error() from any thread; the others from the reflector's.
class FailureReporter {
 public:
  /// `observer` may be null; clock, counters and observer outlive this.
  FailureReporter(const Clock& clock, const InformerOptions& options, InformerCounters& counters,
                  InformerObserver* observer);

  /// `in_client_go`: client-go passes this failure to its WatchErrorHandler. In strict all are.
  void failed(InformerFailure::Doing doing, const Error& error, Clock::Duration retry_in,
              bool in_client_go);
  /// A list or the opening of a watch succeeded: ends the failures before.
  void succeeded();

  /// The newest failure since the last success.
  std::optional<Error> last_error() const;

 private:
  const Clock& clock_;
  const InformerOptions& options_;
  InformerCounters& counters_;
  InformerObserver* observer_;
  std::optional<Clock::Mono> failing_since_;  ///< any kind
  std::optional<Clock::Mono> this_kind_since_;
  mutable Mutex mu_;
  std::optional<Error> last_error_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
