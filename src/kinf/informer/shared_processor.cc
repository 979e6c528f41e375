// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/shared_processor.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kinf {

SharedProcessor::SharedProcessor(const StoreReader& store, const Clock& clock,
                                 InformerCounters& counters, std::function<void()> wake,
                                 std::function<void()> drained)
    : store_(store),
      clock_(clock),
      counters_(counters),
      wake_(std::move(wake)),
      drained_(std::move(drained)) {}

HandlerRegistration SharedProcessor::add(std::shared_ptr<EventHandler> handler,
                                         const HandlerOptions& options, Clock::Duration period) {
  const auto added =
      std::make_shared<ProcessorListener>(std::move(handler), options, counters_, drained_);
  added->resync_period = period;
  {
    MutexLock lock(mu_);
    entries_.push_back({added, options.resync.value_or(period)});
    joining_.push_back(added.get());
  }
  wake_();
  return HandlerRegistration(added);
}

void SharedProcessor::update_periods(
    const std::function<Clock::Duration(Clock::Duration wanted)>& effective) {
  MutexLock lock(mu_);
  for (Entry& entry : entries_) entry.listener->resync_period = effective(entry.wanted);
}

bool SharedProcessor::admit(const std::stop_token& stop) {
  drop_gone();
  std::vector<ProcessorListener*> coming;
  {
    MutexLock lock(mu_);
    coming = std::exchange(joining_, {});
  }
  for (ProcessorListener* listener : coming) {
    active_.push_back(listener);
    if (restored_) restore(*listener);
    if (threaded_) listener->start();
    if (!restored_) introduce(*listener, stop);
  }
  return !coming.empty();
}

Change SharedProcessor::initial_change(ObjectPtr object) const {
  return {.initial = true,
          .origin = {ChangeSource::list, clock_.wall()},
          .key = object->key(),
          .object = std::move(object)};
}

/// Calls on_known() on this thread even for a queued handler, whose own thread does not run yet.
void SharedProcessor::restore(ProcessorListener& listener) {
  for (ObjectPtr& object : store_.list()) listener.restore(initial_change(std::move(object)));
}

void SharedProcessor::introduce(ProcessorListener& listener, const std::stop_token& stop) {
  for (ObjectPtr& object : store_.list()) {
    listener.notify(initial_change(std::move(object)), stop);
  }
  if (synced_) {
    schedule_resyncs(std::array{&listener});
    listener.notify(SyncedEvent{store_.last_store_sync_resource_version(), store_.size()}, stop);
  }
}

void SharedProcessor::schedule_resyncs(std::span<ProcessorListener* const> listeners) {
  const Clock::Mono now = clock_.now();
  MutexLock lock(mu_);
  for (ProcessorListener* listener : listeners)
    listener->next_resync = now + listener->resync_period.load();
}

void SharedProcessor::drop_gone() {
  std::vector<std::shared_ptr<ProcessorListener>> gone;  // destroyed after the lock is released
  MutexLock lock(mu_);
  // Keep listeners whose handler is still running: a handler may remove itself.
  for (Entry& entry : entries_) {
    if (entry.listener->is_finished()) gone.push_back(std::move(entry.listener));
  }
  std::erase_if(entries_, [](const Entry& entry) { return entry.listener == nullptr; });
  const auto has_left = [](const ProcessorListener* listener) { return listener->is_closed(); };
  std::erase_if(active_, has_left);
  std::erase_if(joining_, has_left);
}

void SharedProcessor::distribute(std::span<const Change> changes, const std::stop_token& stop) {
  restored_ = false;
  for (ProcessorListener* listener : active_) {
    for (const Change& change : changes) {
      if (change.type == ChangeType::resync && !listener->wants_reminder(change.origin)) continue;
      listener->notify(change, stop);
    }
  }
}

void SharedProcessor::announce_synced(const SyncedEvent& synced, const std::stop_token& stop) {
  restored_ = false;  // an empty first list has no changes to distribute
  synced_ = synced;
  schedule_resyncs(active_);
  for (ProcessorListener* listener : active_) listener->notify(synced, stop);
}

void SharedProcessor::idle() {
  for (ProcessorListener* listener : active_) listener->idle_direct();
}

bool SharedProcessor::pump() {
  bool moved = false;
  for (ProcessorListener* listener : active_) moved = listener->pump() || moved;
  return moved;
}

void SharedProcessor::finish() {
  for (ProcessorListener* listener : active_) {
    listener->idle_direct();
    listener->finish();
  }
}

Clock::Mono SharedProcessor::next_resync() const {
  Clock::Mono next = Clock::kNever;
  MutexLock lock(mu_);
  for (const Entry& entry : entries_) {
    if (entry.listener->resync_period.load().count() > 0)
      next = std::min(next, entry.listener->next_resync);
  }
  return next;
}

std::uint32_t SharedProcessor::begin_resync() {
  const Clock::Mono now = clock_.now();
  bool any = false;
  MutexLock lock(mu_);
  for (const Entry& entry : entries_) {
    ProcessorListener& listener = *entry.listener;
    const Clock::Duration period = listener.resync_period;
    const bool due = period.count() > 0 && now >= listener.next_resync;
    listener.is_syncing.store(due);
    if (!due) continue;
    if (!std::exchange(any, true)) ++resyncs_;
    listener.resync_round.store(resyncs_);
    listener.next_resync = now + period;
  }
  return any ? resyncs_ : 0;
}

std::size_t SharedProcessor::backlog() const {
  std::size_t waiting = 0;
  MutexLock lock(mu_);
  for (const Entry& entry : entries_) waiting += entry.listener->backlog();
  return waiting;
}

}  // namespace kinf
