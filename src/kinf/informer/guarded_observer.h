// SPDX-License-Identifier: Apache-2.0
// GuardedObserver: forwards an informer's reports to the user's observer and catches its
// exceptions.
#pragma once

#include "kinf/informer/informer_observer.h"
#include "kinf/informer/user_call.h"

namespace kinf {

/// Threads: like InformerObserver.
class GuardedObserver final : public InformerObserver {
 public:
  /// `observer` and `counters` must outlive this object. `observer` may be null if no function is
  /// called.
  GuardedObserver(InformerObserver* observer, InformerCounters& counters)
      : observer_(observer), counters_(counters) {}

  void on_list_started(const ListStarted& started) override {
    pass_on([&] { observer_->on_list_started(started); });
  }
  void on_synced(const SyncedEvent& synced) override {
    pass_on([&] { observer_->on_synced(synced); });
  }
  void on_relisted(const Relisted& relisted) override {
    pass_on([&] { observer_->on_relisted(relisted); });
  }
  void on_watch_opened() override {
    pass_on([&] { observer_->on_watch_opened(); });
  }
  void on_watch_closed(const WatchEnded& ended) override {
    pass_on([&] { observer_->on_watch_closed(ended); });
  }
  void on_error(const InformerFailure& failure) override {
    pass_on([&] { observer_->on_error(failure); });
  }
  void on_resync() override {
    pass_on([&] { observer_->on_resync(); });
  }
  void on_recovered(Clock::Duration lasted) override {
    pass_on([&] { observer_->on_recovered(lasted); });
  }
  void on_idle() override {
    pass_on([&] { observer_->on_idle(); });
  }
  void on_stalled(Clock::Duration silent) override {
    pass_on([&] { observer_->on_stalled(silent); });
  }

 private:
  template <class Call>
  void pass_on(const Call& call) {
    user_call(counters_, "an informer's observer threw an exception, skipping the report", call);
  }

  InformerObserver* const observer_;
  InformerCounters& counters_;
};

}  // namespace kinf
