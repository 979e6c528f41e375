// SPDX-License-Identifier: Apache-2.0
// FailureReporter: reports failures of lists and watches, and how long they have lasted, to the
// observer and the watch error handler.
#pragma once

#include <optional>
#include <utility>

#include "kinf/informer/informer_observer.h"
#include "kinf/informer/informer_options.h"
#include "kinf/informer/user_call.h"

namespace kinf {

/// Threads: call last_error() from any thread and the other functions from the reflector's thread.
class FailureReporter {
 public:
  /// `observer` may be null. The references and `observer` must outlive the reporter.
  FailureReporter(const Clock& clock, const InformerOptions& options, InformerCounters& counters,
                  InformerObserver* observer)
      : clock_(clock), options_(options), counters_(counters), observer_(observer) {}

  /// Counts and reports a failure. `in_client_go` says whether client-go passes this failure to its
  /// WatchErrorHandler. Behaviour::client_go then does the same; Behaviour::strict passes every
  /// failure.
  void failed(InformerFailure::Doing doing, const Error& error, Clock::Duration retry_in,
              bool in_client_go) {
    InformerCounters::count(counters_.errors);
    const Clock::Mono now = clock_.now();
    if (!failing_since_) failing_since_ = now;
    {
      MutexLock lock(mu_);
      if (!last_error_ || last_error_->kind != error.kind) this_kind_since_ = now;
      last_error_ = error;
    }
    if (options_.watch_error_handler && (in_client_go || options_.behaviour == Behaviour::strict)) {
      options_.watch_error_handler(error);
    }
    if (observer_ != nullptr) {
      observer_->on_error({error, doing, now - *this_kind_since_, retry_in});
    }
  }
  /// Reports that the server has sent nothing since `since`. The end of the silence is reported as
  /// a recovery.
  void stalled(Clock::Mono since) {
    if (!failing_since_) failing_since_ = since;
    if (observer_ != nullptr) observer_->on_stalled(clock_.now() - since);
  }
  /// Call it when a list succeeded or a watch opened. Clears last_error() and reports the recovery.
  void succeeded() {
    if (!failing_since_) return;
    const Clock::Duration lasted = clock_.now() - *std::exchange(failing_since_, std::nullopt);
    {
      MutexLock lock(mu_);
      last_error_.reset();
    }
    if (observer_ != nullptr) observer_->on_recovered(lasted);
  }

  /// Returns the newest failure since the last success. Empty if there was none.
  std::optional<Error> last_error() const {
    MutexLock lock(mu_);
    return last_error_;
  }

 private:
  const Clock& clock_;
  const InformerOptions& options_;
  InformerCounters& counters_;
  InformerObserver* observer_;
  /// Time of the first failure, or start of the silence, since the last success.
  std::optional<Clock::Mono> failing_since_;
  /// Time of the first failure in the current series of failures with the same ErrorKind.
  std::optional<Clock::Mono> this_kind_since_;
  mutable Mutex mu_;
  std::optional<Error> last_error_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
