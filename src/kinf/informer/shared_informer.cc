// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/shared_informer.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "kinf/base/log.h"

namespace kinf {
namespace {

constexpr Clock::Duration kShortestResync = std::chrono::seconds(1);

IndexerOptions indexer_options(const InformerOptions& options) {
  IndexerOptions indexer;
  indexer.indexers = options.indexers;
  indexer.indexers.try_emplace(kNamespaceIndex, namespace_index_function);
  indexer.behaviour = options.behaviour;
  return indexer;
}

}  // namespace

SharedInformer::SharedInformer(std::unique_ptr<ListerWatcher> source, Clock& clock,
                               InformerOptions options, InformerObserver* observer)
    : options_(std::move(options)),
      source_(std::move(source)),
      description_(source_->description()),
      indexer_(indexer_options(options_)),
      processor_(indexer_, clock, counters_, [this] { controller_.wake(); }),
      controller_(*source_, indexer_, processor_, clock, options_, counters_, observer),
      check_period_(options_.resync_period) {}

SharedInformer::~SharedInformer() { stop(); }

Result<HandlerRegistration> SharedInformer::add_event_handler(EventHandler& handler,
                                                              const HandlerOptions& options) {
  MutexLock lock(mu_);
  if (phase_ == Phase::stopped) {
    return fail(ErrorKind::stopped,
                fmt::format("a handler was not added to the informer for {}, because it has "
                            "stopped already",
                            description_));
  }
  Clock::Duration wanted = options.resync.value_or(options_.resync_period);
  if (wanted.count() > 0 && wanted < kShortestResync) wanted = kShortestResync;
  if (wanted.count() > 0 && wanted < check_period_ && phase_ == Phase::fresh) {
    check_period_ = wanted;
    processor_.update_periods([this](Clock::Duration other) KINF_TSA(no_thread_safety_analysis) {
      return effective_period(other);
    });
  }
  HandlerOptions effective = options;
  effective.resync = wanted;
  return processor_.add(handler, effective, effective_period(wanted));
}

/// client-go: determineResyncPeriod. What cannot be had is rounded, with a word.
Clock::Duration SharedInformer::effective_period(Clock::Duration wanted) const {
  if (wanted.count() == 0) return {};
  if (check_period_.count() == 0) {
    log::verbose(2, "{}: this informer does not resync, and so does its handler", description_);
    return {};
  }
  return std::max(wanted, check_period_);
}

bool SharedInformer::enter_running() {
  MutexLock lock(mu_);
  if (phase_ != Phase::fresh) return false;
  phase_ = Phase::running;
  controller_.set_resync_check_period(check_period_);
  return true;
}

void SharedInformer::start(std::stop_token stop) {
  if (!enter_running()) return;
  controller_.start();
  MutexLock lock(ending_);
  on_stop_.emplace(std::move(stop), [this] { controller_.request_stop(); });
}

void SharedInformer::stop() {
  if (processor_.is_inside_handler()) {
    controller_.request_stop();  // a thread cannot wait for itself; the destructor will
    return;
  }
  {
    MutexLock lock(ending_);
    on_stop_.reset();
    controller_.stop();
  }
  MutexLock lock(mu_);
  phase_ = Phase::stopped;
}

void SharedInformer::run(std::stop_token stop) {
  start(stop);
  controller_.wait_for_end(stop);
  this->stop();
}

void SharedInformer::begin() { enter_running(); }

StepResult SharedInformer::step() { return controller_.step(); }

void SharedInformer::finish() {
  controller_.finish();
  MutexLock lock(mu_);
  phase_ = Phase::stopped;
}

Result<> SharedInformer::add_indexers(Indexers indexers) {
  if (is_stopped()) {
    return fail(ErrorKind::stopped, "indexer was not added because it has stopped already");
  }
  return indexer_.add_indexers(std::move(indexers));
}

Result<> SharedInformer::wait_for_sync(Clock::Mono deadline, const std::stop_token& stop) const {
  if (controller_.wait_for_sync(deadline, stop)) return {};
  if (std::optional<Error> reason = last_error()) return std::unexpected(std::move(*reason));
  if (stop.stop_requested() || is_stopped()) return fail(ErrorKind::stopped, "stopped");
  return fail(ErrorKind::unavailable,
              fmt::format("{}: no complete list before the time-out", description_));
}

bool SharedInformer::is_stopped() const {
  MutexLock lock(mu_);
  return phase_ == Phase::stopped;
}

InformerStats SharedInformer::stats() const {
  const auto read = [](const InformerCounters::Counter& counter) {
    return counter.load(std::memory_order_relaxed);
  };
  InformerStats stats;
  stats.objects = indexer_.size();
  stats.queued = controller_.queued();
  stats.backlog = processor_.backlog();
  stats.lists = read(counters_.lists);
  stats.relists = read(counters_.relists);
  stats.watches = read(counters_.watches);
  stats.watch_events = read(counters_.watch_events);
  stats.bookmarks = read(counters_.bookmarks);
  stats.errors = read(counters_.errors);
  stats.stalls = read(counters_.stalls);
  stats.unchanged = read(counters_.unchanged);
  stats.version_regressions = read(counters_.version_regressions);
  stats.unknown_deletions = read(counters_.unknown_deletions);
  stats.foreign_events = read(counters_.foreign_events);
  stats.apply_errors = read(counters_.apply_errors);
  stats.index_errors = indexer_.index_errors();
  stats.mutations = read(counters_.mutations);
  stats.notifications = read(counters_.notifications);
  stats.folded = read(counters_.folded);
  stats.undelivered = read(counters_.undelivered);
  stats.handler_exceptions = read(counters_.handler_exceptions);
  return stats;
}

}  // namespace kinf
