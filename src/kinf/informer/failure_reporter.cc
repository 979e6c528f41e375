// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/failure_reporter.h"

#include <utility>

namespace kinf {

FailureReporter::FailureReporter(const Clock& clock, const InformerOptions& options,
                                 InformerCounters& counters, InformerObserver* observer)
    : clock_(clock), options_(options), counters_(counters), observer_(observer) {}

void FailureReporter::failed(InformerFailure::Doing doing, const Error& error,
                             Clock::Duration retry_in, bool in_client_go) {
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

void FailureReporter::succeeded() {
  if (!failing_since_) return;
  const Clock::Duration lasted = clock_.now() - *std::exchange(failing_since_, std::nullopt);
  {
    MutexLock lock(mu_);
    last_error_.reset();
  }
  if (observer_ != nullptr) observer_->on_recovered(lasted);
}

std::optional<Error> FailureReporter::last_error() const {
  MutexLock lock(mu_);
  return last_error_;
}

}  // namespace kinf
