// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/shared_informer.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "kinf/base/log.h"
#include "kinf/cache/indexer.h"
#include "kinf/informer/controller.h"
#include "kinf/informer/interrupt.h"
#include "kinf/informer/shared_processor.h"
#include "kinf/informer/user_call.h"
#include "kinf/informer/version_tracker.h"

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

struct SharedInformer::Impl {
  enum class Phase { fresh, stepping, threaded, stopped };

  Impl(std::unique_ptr<ListerWatcher> source_in, Clock& clock, InformerOptions options_in,
       InformerObserver* user_observer)
      : observer(user_observer, counters),
        options(guarded(std::move(options_in))),
        source(std::move(source_in)),
        description(source->description()),
        indexer(indexer_options(options)),
        processor(
            indexer, clock, counters, [this] { controller.wake(); },
            user_observer != nullptr ? std::function<void()>([this] { observer.on_idle(); })
                                     : nullptr),
        controller(*source, indexer, processor, clock, options, counters,
                   user_observer != nullptr ? &observer : nullptr),
        check_period(options.resync_period) {
    counters.description = description;
  }

  Result<HandlerRegistration> add_handler(std::shared_ptr<EventHandler> handler,
                                          const HandlerOptions& user_options);
  Clock::Duration effective_period(Clock::Duration wanted) const KINF_REQUIRES(mu);
  /// Enters `running`, which is `stepping` or `threaded`. Returns false if that was entered before.
  Result<bool> enter(Phase running);
  /// Like enter(), without the result for a second call.
  Result<void> entered(Phase running) {
    const Result<bool> is_new = enter(running);
    return is_new ? Result<void>() : fail(is_new);
  }
  bool is_fresh() const {
    MutexLock lock(mu);
    return phase == Phase::fresh;
  }
  void enter_stopped();
  /// Stops the threads and waits for them.
  void end();
  InformerOptions guarded(InformerOptions user_options);

  InformerCounters counters;
  GuardedObserver observer;
  const InformerOptions options;
  const std::unique_ptr<ListerWatcher> source;
  const std::string description;
  Indexer indexer;
  SharedProcessor processor;
  Controller controller;

  mutable Mutex mu;
  Phase phase KINF_GUARDED_BY(mu) = Phase::fresh;
  /// The shortest resync period requested before start() (0: no resyncs).
  Clock::Duration check_period KINF_GUARDED_BY(mu);
  std::atomic<bool> may_step{false};  ///< true from begin() to finish()
  Mutex ending;                       ///< held while threads start or are joined; lock it before mu
  std::optional<std::stop_callback<std::function<void()>>> on_stop KINF_GUARDED_BY(ending);
};

SharedInformer::SharedInformer(std::unique_ptr<ListerWatcher> source, Clock& clock,
                               InformerOptions options, InformerObserver* observer)
    : impl_(std::make_unique<Impl>(std::move(source), lasting_clock(clock), std::move(options),
                                   observer)) {}

SharedInformer::~SharedInformer() {
  if (InformerThread::current() == &impl_->counters) {
    log::write_line(
        log::Level::error,
        fmt::format("fatal: the informer for {} must not be destroyed inside one of its "
                    "own callbacks",
                    impl_->description));
    std::abort();
  }
  impl_->end();
}

Result<HandlerRegistration> SharedInformer::add_event_handler(EventHandler& handler,
                                                              const HandlerOptions& options) {
  return impl_->add_handler(borrowed(handler), options);
}

Result<HandlerRegistration> SharedInformer::add_event_handler(HandlerFunctions functions,
                                                              const HandlerOptions& options) {
  return impl_->add_handler(std::make_shared<FunctionHandler>(std::move(functions)), options);
}

Result<HandlerRegistration> SharedInformer::add_event_handler(
    std::function<void(const Change&)> on_change, const HandlerOptions& options) {
  return impl_->add_handler(std::make_shared<FunctionHandler>(on_change), options);
}

Result<HandlerRegistration> SharedInformer::Impl::add_handler(std::shared_ptr<EventHandler> handler,
                                                              const HandlerOptions& user_options) {
  MutexLock lock(mu);
  if (phase == Phase::stopped) {
    return fail(ErrorKind::stopped,
                "cannot add a handler to the informer for {}: the informer has stopped",
                description);
  }
  Clock::Duration wanted = user_options.resync.value_or(options.resync_period);
  if (wanted.count() > 0 && wanted < kShortestResync) wanted = kShortestResync;
  const bool is_shorter = wanted < check_period ||
                          (check_period.count() == 0 && options.behaviour == Behaviour::strict);
  if (wanted.count() > 0 && is_shorter && phase == Phase::fresh) {
    check_period = wanted;
    processor.update_periods([this](Clock::Duration other) KINF_TSA(no_thread_safety_analysis) {
      return effective_period(other);
    });
  }
  HandlerOptions effective = user_options;
  effective.resync = wanted;
  return processor.add(std::move(handler), effective, effective_period(wanted));
}

/// Returns the effective resync period of a handler that requests `wanted` (client-go:
/// determineResyncPeriod).
Clock::Duration SharedInformer::Impl::effective_period(Clock::Duration wanted) const {
  if (wanted.count() == 0) return {};
  if (check_period.count() == 0) {
    log::verbose(2, "{}: resync is off for this informer, so this handler gets no resyncs",
                 description);
    return {};
  }
  return std::max(wanted, check_period);
}

Result<bool> SharedInformer::Impl::enter(Phase running) {
  MutexLock lock(mu);
  if (phase == running) return false;
  if (phase == Phase::stopped) {
    return fail(ErrorKind::stopped, "cannot start the informer for {}: it has stopped",
                description);
  }
  if (phase != Phase::fresh) {
    return fail(ErrorKind::usage, "the informer for {} already runs {}", description,
                phase == Phase::threaded ? "on its own threads" : "through step()");
  }
  phase = running;
  controller.set_resync_check_period(check_period);
  return true;
}

void SharedInformer::Impl::enter_stopped() {
  MutexLock lock(mu);
  phase = Phase::stopped;
}

void SharedInformer::Impl::end() {
  MutexLock lock(ending);
  on_stop.reset();
  controller.stop();
  enter_stopped();
}

InformerOptions SharedInformer::Impl::guarded(InformerOptions user_options) {
  if (auto& handler = user_options.watch_error_handler) {
    handler = [this, users = std::move(handler)](const Error& error) {
      user_call(
          counters, [] { return "watch_error_handler threw an exception"; }, [&] { users(error); });
    };
  }
  return user_options;
}

Result<void> SharedInformer::restore(const std::vector<ObjectPtr>& objects, bool is_complete) {
  Impl& impl = *impl_;
  MutexLock lock(impl.mu);
  if (impl.phase != Impl::Phase::fresh) {
    return fail(ErrorKind::usage, "restore() must be called before start()");
  }
  std::string_view newest;
  for (const ObjectPtr& object : objects) {
    if (newest.empty() || is_older_version(newest, object->resource_version())) {
      newest = object->resource_version();
    }
  }
  // Store the newest version too: a first list with an older one then shows that the server was
  // restored from a backup.
  if (Result<void> stored = impl.indexer.replace(objects, std::string(newest)); !stored)
    return stored;
  impl.processor.set_restored();
  impl.controller.set_restored(is_complete);
  return {};
}

Result<void> SharedInformer::start(std::stop_token stop) {
  Impl& impl = *impl_;
  // A callback may call start() while stop() holds `ending` and waits for that callback, so do not
  // lock `ending` if the informer was started before.
  if (!impl.is_fresh()) return impl.entered(Impl::Phase::threaded);
  MutexLock lock(impl.ending);
  const Result<bool> is_new = impl.enter(Impl::Phase::threaded);
  if (!is_new) return fail(is_new);
  if (!*is_new) return {};
  if (Result<void> started = impl.controller.start(); !started) {
    impl.enter_stopped();
    return fail(std::move(started).error().within("start the informer for " + impl.description));
  }
  impl.on_stop.emplace(std::move(stop), [this] { impl_->controller.request_stop(); });
  return {};
}

void SharedInformer::stop() {
  if (InformerThread::current() != nullptr) {
    impl_->controller.request_stop();
  } else {
    impl_->end();
  }
}

Result<void> SharedInformer::run(std::stop_token stop) {
  if (Result<void> started = start(stop); !started) return started;
  impl_->controller.wait_for_end(stop);
  this->stop();
  return {};
}

Result<void> SharedInformer::begin() {
  Result<void> entered = impl_->entered(Impl::Phase::stepping);
  if (entered) impl_->may_step.store(true);
  return entered;
}

StepResult SharedInformer::step() { return step(StepPart::all); }

StepResult SharedInformer::step(StepPart part) {
  return impl_->may_step.load() ? impl_->controller.step(part) : StepResult();
}

void SharedInformer::finish() {
  if (!impl_->may_step.exchange(false)) return stop();
  impl_->controller.finish();
  impl_->enter_stopped();
}

const StoreReader& SharedInformer::indexer() const { return impl_->indexer; }

Result<void> SharedInformer::add_indexers(Indexers indexers) {
  if (is_stopped()) {
    return fail(ErrorKind::stopped, "cannot add the index: the informer has stopped");
  }
  return impl_->indexer.add_indexers(std::move(indexers));
}

bool SharedInformer::has_synced() const { return impl_->controller.has_synced(); }

Result<void> SharedInformer::wait_for_sync(Clock::Mono deadline,
                                           const std::stop_token& stop) const {
  if (impl_->controller.wait_for_sync(deadline, stop)) return {};
  if (std::optional<Error> reason = last_error()) return fail(std::move(*reason));
  if (stop.stop_requested() || is_stopped()) return fail(ErrorKind::stopped, "stopped");
  return fail(ErrorKind::unavailable, "{}: no complete list before the timeout",
              impl_->description);
}

bool SharedInformer::is_stopped() const {
  MutexLock lock(impl_->mu);
  return impl_->phase == Impl::Phase::stopped;
}

std::string SharedInformer::last_sync_resource_version() const {
  return impl_->controller.last_sync_resource_version();
}

std::optional<Error> SharedInformer::last_error() const { return impl_->controller.last_error(); }

const std::string& SharedInformer::description() const { return impl_->description; }

std::vector<Deltas> SharedInformer::queued_changes() const {
  return impl_->controller.queued_changes();
}

InformerStats SharedInformer::stats() const {
  const auto read = [](const InformerCounters::Counter& counter) {
    return counter.load(std::memory_order_relaxed);
  };
  const InformerCounters& counters = impl_->counters;
  InformerStats stats;
  stats.objects = impl_->indexer.size();
  stats.queued = impl_->controller.queued();
  stats.backlog = impl_->processor.backlog();
  stats.lists = read(counters.lists);
  stats.relists = read(counters.relists);
  stats.watches = read(counters.watches);
  stats.watch_events = read(counters.watch_events);
  stats.bookmarks = read(counters.bookmarks);
  stats.errors = read(counters.errors);
  stats.stalls = read(counters.stalls);
  stats.unchanged = read(counters.unchanged);
  stats.version_regressions = read(counters.version_regressions);
  stats.unknown_deletions = read(counters.unknown_deletions);
  stats.foreign_events = read(counters.foreign_events);
  stats.apply_errors = read(counters.apply_errors);
  stats.index_errors = impl_->indexer.index_errors();
  stats.mutations = read(counters.mutations);
  stats.notifications = read(counters.notifications);
  stats.folded = read(counters.folded);
  stats.undelivered = read(counters.undelivered);
  stats.handler_exceptions = read(counters.handler_exceptions);
  return stats;
}

}  // namespace kinf
