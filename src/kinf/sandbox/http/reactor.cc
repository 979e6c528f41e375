// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/reactor.h"

#include <cerrno>
#include <string>
#include <system_error>

namespace kinf::sandbox {
Result<> Reactor::start() {
  if (!poller_) poller_ = make_poller();
  if (!poller_) {
    return fail(ErrorKind::internal,
                "cannot wait for sockets: " + std::generic_category().message(errno));
  }
  MutexLock lock(mu_);
  try {
    threads_.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    return fail(ErrorKind::internal, std::string("cannot start a thread: ") + error.what());
  }
  return {};
}

void Reactor::add(std::unique_ptr<Task> task) {
  MutexLock lock(mu_);
  const std::uint64_t id = ++last_id_;
  task->reactor_ = this;
  task->id_ = id;
  if (!poller_->add(task->descriptor(), id)) return;
  Entry& entry = entries_[id];
  entry.task = std::move(task);
  enqueue(id, entry);
}

void Reactor::stop() {
  std::vector<std::jthread> threads;
  {
    MutexLock lock(mu_);
    stopping_ = true;
    summon_thread();
    threads.swap(threads_);
  }
  for (std::jthread& thread : threads) thread.join();
  std::unordered_map<std::uint64_t, Entry> entries;
  {
    MutexLock lock(mu_);
    entries.swap(entries_);
  }
  for (auto& [id, entry] : entries) entry.task->stop();
}

void Reactor::wake(std::uint64_t id) {
  MutexLock lock(mu_);
  const auto found = entries_.find(id);
  if (found != entries_.end()) enqueue(id, found->second);
}

void Reactor::work() {
  MutexLock lock(mu_);
  while (!stopping_) {
    if (queue_.empty()) {
      wait_for_event();
    } else {
      run_next();
    }
  }
  summon_thread();  // the next one ends too
}

void Reactor::wait_for_event() {
  ++idle_;
  mu_.unlock();
  const std::optional<Poller::Event> event = poller_->wait();
  mu_.lock();
  --idle_;
  if (!event || event->cause == Poller::Cause::summons) return;
  if (event->cause == Poller::Cause::timer) return enqueue_due();
  const auto found = entries_.find(event->id);
  if (found == entries_.end()) return;
  found->second.armed = 0;  // it is reported once
  found->second.events |= event->events;
  mark_ready(found->first, found->second);
}

/// Queues the tasks whose time has come.
void Reactor::enqueue_due() {
  timer_until_ = Clock::kNever;
  const Clock::Mono now = RealClock().now();
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const std::uint64_t id = deadlines_.begin()->second;
    Entry& entry = entries_.at(id);
    set_deadline(id, entry, Clock::kNever);
    mark_ready(id, entry);
  }
  if (!deadlines_.empty()) set_timer(deadlines_.begin()->first);
}

/// Queues the task, or notes that it must run again. The caller finds a thread for the queue.
void Reactor::mark_ready(std::uint64_t id, Entry& entry) {
  if (entry.running) {
    entry.again = true;
  } else if (!std::exchange(entry.queued, true)) {
    queue_.push_back(id);
  }
}

/// Like mark_ready(), for a caller that does not run the queue. If it was not empty, a thread has
/// been summoned, and summons others.
void Reactor::enqueue(std::uint64_t id, Entry& entry) {
  const bool was_empty = queue_.empty();
  mark_ready(id, entry);
  if (was_empty && !queue_.empty()) summon_thread();
}

/// Runs the first task of the queue. Another thread takes over the rest, and waits for events.
void Reactor::run_next() {
  const std::uint64_t id = queue_.front();
  queue_.pop_front();
  Entry& entry = entries_.at(id);  // stays valid: only this function removes it
  entry.queued = false;
  entry.running = true;
  const std::uint32_t events = std::exchange(entry.events, 0);
  if (!queue_.empty() || idle_ == 0) summon_thread();
  mu_.unlock();
  const std::optional<Wait> wait = entry.task->run(events);
  mu_.lock();
  if (!wait) return remove(id);
  entry.running = false;
  park(id, entry, *wait);
}

void Reactor::park(std::uint64_t id, Entry& entry, const Wait& wait) {
  if (std::exchange(entry.again, false) || wait.until == Clock::Mono::min()) {
    mark_ready(id, entry);
    return;
  }
  set_deadline(id, entry, wait.until);
  if (wait.events == entry.armed) return;
  entry.armed = wait.events;
  poller_->arm(entry.task->descriptor(), id, wait.events);
}

/// Destroys the task without the lock, because its destructor may take other locks.
void Reactor::remove(std::uint64_t id) {
  set_deadline(id, entries_.at(id), Clock::kNever);
  poller_->remove(id);
  auto removed = entries_.extract(id);
  mu_.unlock();
  removed = {};
  mu_.lock();
}

void Reactor::set_deadline(std::uint64_t id, Entry& entry, Clock::Mono until) {
  if (entry.until == until) return;
  if (entry.until != Clock::kNever) deadlines_.erase({entry.until, id});
  entry.until = until;
  if (until == Clock::kNever) return;
  deadlines_.insert({until, id});
  if (until < timer_until_) set_timer(until);
}

/// The timer may expire before the first deadline, if that has moved.
void Reactor::set_timer(Clock::Mono until) {
  timer_until_ = until;
  poller_->set_timer(until);
}

/// Wakes an idle thread, or starts one. If all are busy, the first that has finished goes on.
void Reactor::summon_thread() {
  if (idle_ > 0) {
    poller_->summon();
  } else if (threads_.size() < most_threads_ && !stopping_) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // The other threads do its work.
    }
  }
}

}  // namespace kinf::sandbox
