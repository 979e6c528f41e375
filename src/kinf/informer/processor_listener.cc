// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/processor_listener.h"

#include <exception>
#include <utility>

#include "kinf/base/log.h"

namespace kinf {

ProcessorListener::ProcessorListener(EventHandler& handler, const HandlerOptions& options,
                                     InformerCounters& counters)
    : handler_(handler), options_(options), counters_(counters) {}

ProcessorListener::~ProcessorListener() { finish(); }

void ProcessorListener::notify(const Notification& notification, const std::stop_token& stop) {
  if (is_closed()) return;
  if (options_.delivery == Delivery::direct) {
    deliver(notification);
  } else {
    enqueue(notification, stop);
  }
}

void ProcessorListener::enqueue(const Notification& notification, const std::stop_token& stop) {
  MutexLock lock(mu_);
  if (waiting_.size() >= options_.bound) {
    if (options_.when_full == WhenFull::coalesce) {
      InformerCounters::count(counters_.folded, waiting_.fold(notification));
      arrived_.notify_one();
      return;
    }
    // Without a thread there is nobody to make room: whoever pumps has to see to that.
    while (options_.when_full == WhenFull::block && thread_running_.load() &&
           waiting_.size() >= options_.bound && !is_closed() && !stop.stop_requested()) {
      taken_.wait(mu_, stop);
    }
  }
  waiting_.push(notification);
  arrived_.notify_one();
}

std::optional<Notification> ProcessorListener::take() {
  MutexLock lock(mu_);
  if (waiting_.empty()) return std::nullopt;
  taken_.notify_one();
  return waiting_.pop();
}

void ProcessorListener::start() {
  if (options_.delivery == Delivery::direct || is_closed()) return;
  thread_running_.store(true);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void ProcessorListener::run(const std::stop_token& stop) {
  while (!stop.stop_requested() && !is_closed()) {
    if (const std::optional<Notification> next = take()) {
      deliver(*next);
      continue;
    }
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
  while (const std::optional<Notification> next = take()) {
    deliver(*next);
    moved = true;
  }
  if (options_.delivery == Delivery::queued) idle();
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
  MutexLock lock(call_mu_);
  while (caller_ != std::thread::id() && caller_ != std::this_thread::get_id()) {
    call_over_.wait(call_mu_);
  }
}

bool ProcessorListener::is_caller() const {
  MutexLock lock(call_mu_);
  return caller_ == std::this_thread::get_id();
}

std::size_t ProcessorListener::backlog() const {
  MutexLock lock(mu_);
  return waiting_.size();
}

void ProcessorListener::idle() {
  if (!std::exchange(told_since_idle_, false)) return;
  guarded([this] { handler_.on_idle(); });
}

void ProcessorListener::deliver(const Notification& notification) {
  const bool called = guarded([&] {
    if (const auto* add = std::get_if<AddEvent>(&notification)) {
      handler_.on_add(*add);
    } else if (const auto* update = std::get_if<UpdateEvent>(&notification)) {
      handler_.on_update(*update);
    } else if (const auto* removal = std::get_if<DeleteEvent>(&notification)) {
      handler_.on_delete(*removal);
    } else {
      handler_.on_synced(std::get<SyncedEvent>(notification));
    }
  });
  if (!called) return;
  told_since_idle_ = true;
  if (std::holds_alternative<SyncedEvent>(notification)) {
    synced_.store(true);
  } else {
    InformerCounters::count(counters_.notifications);
  }
}

template <class Call>
bool ProcessorListener::guarded(const Call& call) {
  {
    MutexLock lock(call_mu_);
    if (is_closed()) return false;
    caller_ = std::this_thread::get_id();
  }
  const char* thrown = nullptr;
  std::string what;
  try {
    call();
  } catch (const std::exception& error) {
    what = error.what();
    thrown = what.c_str();
  } catch (...) {
    thrown = "something that is no std::exception";
  }
  {
    MutexLock lock(call_mu_);
    caller_ = std::thread::id();
    call_over_.notify_all();
  }
  if (thrown != nullptr) {
    InformerCounters::count(counters_.handler_exceptions);
    log::warning("an event handler failed, its event is skipped: {}", thrown);
  }
  return true;
}

}  // namespace kinf
