// SPDX-License-Identifier: Apache-2.0
// FailureReporter: tells observer and error handler what went wrong and for how long it has been
// going wrong. Decides nothing.
#pragma once

#include <functional>
#include <optional>

#include "kinf/informer/informer_counters.h"
#include "kinf/informer/informer_observer.h"

namespace kinf {

/// Threads: last_error() from any thread; all else from the reflector's.
class FailureReporter {
 public:
  /// `observer` may be null; clock, counters and observer outlive this.
  FailureReporter(const Clock& clock, InformerCounters& counters, InformerObserver* observer,
                  std::function<void(const Error&)> handler);

  /// `handed_out`: client-go gives this one to its WatchErrorHandler.
  void failed(InformerFailure::Doing doing, const Error& error, Clock::Duration retry_in,
              bool handed_out);
  /// A list or the opening of a watch worked: what failed before is over.
  void succeeded();

  /// The newest failure since the last success.
  std::optional<Error> last_error() const;

 private:
  const Clock& clock_;
  InformerCounters& counters_;
  InformerObserver* observer_;
  const std::function<void(const Error&)> handler_;
  std::optional<Clock::Mono> failing_since_;  ///< any kind
  std::optional<Clock::Mono> this_kind_since_;
  mutable Mutex mu_;
  std::optional<Error> last_error_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
