// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/processor_listener.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "kinf/base/log.h"
#include "kinf/informer/interrupt.h"

namespace kinf {

ProcessorListener::ProcessorListener(std::shared_ptr<EventHandler> handler,
                                     const HandlerOptions& options, InformerCounters& counters,
                                     std::function<void()> drained)
    : handler_(std::move(handler)),
      options_(options),
      counters_(counters),
      drained_(std::move(drained)) {}

ProcessorListener::~ProcessorListener() { finish(); }

template <class Event>
void ProcessorListener::pass_on(const Event& event, const std::stop_token& stop) {
  if (is_closed()) return;
  if (options_.delivery == Delivery::direct) {
    deliver(event);
  } else {
    enqueue(event, stop);
  }
}

void ProcessorListener::restore(const Change& known) {
  guarded(known.key, [&] { handler_->on_known(known); });
}

void ProcessorListener::notify(const Change& change, const std::stop_token& stop) {
  pass_on(change, stop);
}

void ProcessorListener::notify(const SyncedEvent& synced, const std::stop_token& stop) {
  pass_on(synced, stop);
}

void ProcessorListener::enqueue(ListenerQueue::Item item, const std::stop_token& stop) {
  MutexLock lock(mu_);
  if (waiting_.size() >= options_.bound) {
    if (options_.when_full == WhenFull::coalesce) {
      InformerCounters::count(counters_.folded, waiting_.fold(std::move(item)));
      arrived_.notify_one();
      return;
    }
    // Without a thread, only pump() empties the queue, so do not wait.
    while (options_.when_full == WhenFull::block && thread_running_.load() &&
           waiting_.size() >= options_.bound && !is_closed() && !stop.stop_requested()) {
      taken_.wait(mu_, stop);
    }
  }
  waiting_.push(std::move(item));
  arrived_.notify_one();
}

bool ProcessorListener::deliver_next() {
  std::optional<ListenerQueue::Item> next;
  {
    MutexLock lock(mu_);
    if (waiting_.empty()) return false;
    next = waiting_.pop();
    is_delivering_ = true;
    taken_.notify_one();
  }
  std::visit([this](const auto& event) { deliver(event); }, *next);
  MutexLock lock(mu_);
  is_delivering_ = false;
  return true;
}

void ProcessorListener::start() {
  if (options_.delivery == Delivery::direct || is_closed()) return;
  thread_running_.store(true);
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  } catch (const std::system_error& error) {
    thread_running_.store(false);
    options_.delivery = Delivery::direct;
    log::warning("{}: cannot start a thread for a handler: {}; calling it on the informer's thread",
                 counters_.description, error.code().message());
  }
}

void ProcessorListener::run(const std::stop_token& stop) {
  while (!stop.stop_requested() && !is_closed()) {
    if (deliver_next()) continue;
    idle();
    MutexLock lock(mu_);
    while (waiting_.empty() && !stop.stop_requested() && !is_closed()) arrived_.wait(mu_, stop);
  }
  thread_running_.store(false);
  MutexLock lock(mu_);
  taken_.notify_all();
}

bool ProcessorListener::pump() {
  bool moved = false;
  while (is_ready() && deliver_next()) moved = true;
  if (options_.delivery == Delivery::queued && backlog() == 0) idle();
  return moved;
}

void ProcessorListener::finish() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  MutexLock lock(mu_);
  if (!is_closed()) InformerCounters::count(counters_.undelivered, waiting_.size());
  waiting_ = {};
}

void ProcessorListener::close() {
  closed_.store(true);
  {
    MutexLock lock(mu_);
    arrived_.notify_all();
    taken_.notify_all();
  }
  if (InformerThread::current() != nullptr) return;
  MutexLock lock(call_mu_);
  while (is_calling_) call_over_.wait(call_mu_);
}

std::size_t ProcessorListener::backlog() const {
  MutexLock lock(mu_);
  return waiting_.size() + (is_delivering_ ? 1 : 0);
}

std::vector<Change> ProcessorListener::waiting() const {
  MutexLock lock(mu_);
  return waiting_.changes();
}

void ProcessorListener::idle() {
  if (!std::exchange(called_since_idle_, false)) return;
  guarded("on_idle()", [this] { handler_->on_idle(); });
  if (drained_ && options_.delivery == Delivery::queued) drained_();
}

void ProcessorListener::deliver(const Change& change) {
  if (!guarded(change.key, [&] { handler_->handle(change); })) return;
  called_since_idle_ = true;
  InformerCounters::count(counters_.notifications);
}

void ProcessorListener::deliver(const SyncedEvent& synced) {
  if (!guarded("on_synced()", [&] { handler_->on_synced(synced); })) return;
  called_since_idle_ = true;
  synced_.store(true);
}

template <class Call>
bool ProcessorListener::guarded(std::string_view event, const Call& call) {
  {
    MutexLock lock(call_mu_);
    if (is_closed()) return false;
    is_calling_ = true;
  }
  {
    const InformerThread mark(&counters_);
    user_call(
        counters_,
        [&] { return fmt::format("a handler threw an exception for {}, skipping it", event); },
        call);
  }
  MutexLock lock(call_mu_);
  is_calling_ = false;
  call_over_.notify_all();
  return true;
}

bool HandlerRegistration::has_synced() const { return listener_ && listener_->has_synced(); }

Clock::Duration HandlerRegistration::resync_period() const {
  return listener_ ? listener_->resync_period.load() : Clock::Duration();
}

std::vector<Change> HandlerRegistration::waiting() const {
  return listener_ ? listener_->waiting() : std::vector<Change>();
}

void HandlerRegistration::remove() {
  if (listener_) listener_->close();
}

}  // namespace kinf
