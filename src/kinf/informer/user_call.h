// SPDX-License-Identifier: Apache-2.0
// Calls user code from an informer: catches, counts and logs its exceptions.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>

#include "kinf/base/log.h"
#include "kinf/informer/informer_observer.h"

namespace kinf {

// InformerCounters: the counters of one informer, and its description for messages. InformerStats,
// a snapshot of the counters, documents each.

/// Threads: any.
struct InformerCounters {
  using Counter = std::atomic<std::uint64_t>;

  std::string description;  ///< such as `pods`; not changed while threads run

  Counter lists{0}, relists{0}, watches{0}, watch_events{0}, bookmarks{0}, errors{0}, stalls{0};
  Counter unchanged{0}, version_regressions{0}, unknown_deletions{0}, foreign_events{0};
  Counter apply_errors{0}, mutations{0}, notifications{0}, folded{0}, undelivered{0},
      handler_exceptions{0};

  static void count(Counter& counter, std::uint64_t by = 1) {
    counter.fetch_add(by, std::memory_order_relaxed);
  }
};

/// Runs `call`. Catches, counts and logs exceptions: `pods: WHAT FAILED: MESSAGE`, where
/// `what_failed` returns the middle part.
template <class WhatFailed, class Call>
void user_call(InformerCounters& counters, const WhatFailed& what_failed, const Call& call) {
  try {
    return call();
  } catch (const std::exception& thrown) {
    log::warning("{}: {}: {}", counters.description, what_failed(), thrown.what());
  } catch (...) {
    log::warning("{}: {}: exception of unknown type", counters.description, what_failed());
  }
  InformerCounters::count(counters.handler_exceptions);
}

// GuardedObserver: forwards the reports of an informer to the user's observer, and catches
// exceptions of that observer.

/// Threads: like InformerObserver.
class GuardedObserver final : public InformerObserver {
 public:
  /// `observer` and `counters` must outlive this object. If `observer` is null, no function may be
  /// called.
  GuardedObserver(InformerObserver* observer, InformerCounters& counters)
      : observer_(observer), counters_(counters) {}

  void on_list_started(const ListStarted& list) override { pass(&Observer::on_list_started, list); }
  void on_synced(const SyncedEvent& synced) override { pass(&Observer::on_synced, synced); }
  void on_relisting(const Relisted& list) override { pass(&Observer::on_relisting, list); }
  void on_relisted(const Relisted& list) override { pass(&Observer::on_relisted, list); }
  void on_watch_opened() override { pass(&Observer::on_watch_opened); }
  void on_watch_closed(const WatchEnded& ended) override {
    pass(&Observer::on_watch_closed, ended);
  }
  void on_error(const InformerFailure& failure) override { pass(&Observer::on_error, failure); }
  void on_resync() override { pass(&Observer::on_resync); }
  void on_recovered(Clock::Duration lasted) override { pass(&Observer::on_recovered, lasted); }
  void on_delivered(const Delivered& delivered) override {
    pass(&Observer::on_delivered, delivered);
  }
  void on_idle() override { pass(&Observer::on_idle); }
  void on_stalled(Clock::Duration silent) override { pass(&Observer::on_stalled, silent); }

 private:
  using Observer = InformerObserver;

  template <class... Parameters, class... Arguments>
  void pass(void (Observer::*report)(Parameters...), const Arguments&... arguments) {
    user_call(
        counters_, [] { return "the observer threw an exception, skipping the report"; },
        [&] { (observer_->*report)(arguments...); });
  }

  InformerObserver* const observer_;
  InformerCounters& counters_;
};

}  // namespace kinf
