// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/object_runs.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "kinf/base/duration.h"
#include "kinf/base/log.h"

namespace kinf {

ObjectRuns::ObjectRuns(const RunLimits& limits, Clock& clock, ChangedObjects::Matters matters,
                       Launch launch, NameOf name_of, std::function<void()> on_given_up)
    : limits_(limits),
      clock_(clock),
      launch_(std::move(launch)),
      name_of_(std::move(name_of)),
      on_given_up_(std::move(on_given_up)),
      objects_(std::move(matters)),
      queue_(clock, std::make_unique<ExponentialFailureLimiter>(limits.first_backoff,
                                                                limits.longest_backoff)) {}

void ObjectRuns::changed(const std::string& item, const Change& change) {
  objects_.changed(item, change);
  if (limits_.debounce > Clock::Duration::zero()) {
    MutexLock lock(mu_);
    times_[item].changed = clock_.now();
  }
  queue_.add(item);
}

void ObjectRuns::take_as_told(const std::string& item, const Change& change) {
  objects_.take_as_told(item, change);
}

bool ObjectRuns::work(const std::stop_token& stop) {
  std::optional<std::string> item = queue_.get(stop);
  if (!item) return false;
  work_on(*std::move(item));
  return true;
}

bool ObjectRuns::try_work() {
  std::optional<std::string> item = queue_.try_get();
  if (!item) return false;
  work_on(*std::move(item));
  return true;
}

void ObjectRuns::work_on(std::string item) {
  std::vector<RunItem> batch;
  if (auto first = prepare(item)) batch.push_back(*std::move(first));
  while (!batch.empty() && batch.size() < limits_.batch) {
    const std::optional<std::string> more = queue_.try_get();
    if (!more) break;
    if (auto prepared = prepare(*more)) batch.push_back(*std::move(prepared));
  }
  if (batch.empty()) return;
  const std::optional<std::string> failure = launch_(batch);
  for (const RunItem& done : batch) finish(done, failure);
}

std::optional<RunItem> ObjectRuns::prepare(const std::string& item) {
  const std::optional<Change> change = objects_.next(item);
  if (!change) {
    {
      MutexLock lock(mu_);
      const auto found = times_.find(item);
      const bool counts = limits_.min_interval > Clock::Duration::zero() && found != times_.end() &&
                          found->second.started;
      if (found != times_.end() && !counts) times_.erase(found);
    }
    queue_.forget(item);
    queue_.done(item);
    return std::nullopt;
  }
  const Clock::Mono now = clock_.now();
  Clock::Mono earliest{};
  {
    MutexLock lock(mu_);
    earliest = earliest_locked(item, *change);
    if (earliest <= now) times_[item].started = now;
  }
  if (earliest > now) {
    queue_.add_after(item, earliest - now);
    queue_.done(item);
    return std::nullopt;
  }
  objects_.started(item, *change);
  return RunItem{item, *change, queue_.num_requeues(item)};
}

Clock::Mono ObjectRuns::earliest_locked(const std::string& item, const Change& change) {
  const auto found = times_.find(item);
  if (found == times_.end()) return Clock::Mono::min();
  const Times& times = found->second;
  Clock::Mono earliest = Clock::Mono::min();
  if (times.changed) earliest = std::max(earliest, *times.changed + limits_.debounce);
  if (times.started) earliest = std::max(earliest, *times.started + limits_.min_interval);
  // A new state may succeed where the old one failed: it does not wait for its retry.
  if (times.failed && is_same(*times.failed, change)) earliest = std::max(earliest, times.retry_at);
  return earliest;
}

void ObjectRuns::finish(const RunItem& item, const std::optional<std::string>& failure) {
  const bool is_over = failure ? !retry_later(item, *failure) : true;
  if (!failure) {
    objects_.succeeded(item.item, item.change);
    forget(item);
  }
  // Of an object that was created again, the beginning is still to be told.
  if (is_over && objects_.next(item.item)) queue_.add(item.item);
  queue_.done(item.item);
}

void ObjectRuns::forget(const RunItem& item) {
  queue_.forget(item.item);
  MutexLock lock(mu_);
  const auto found = times_.find(item.item);
  if (found == times_.end()) return;
  Times& times = found->second;
  times.failed.reset();
  const bool has_changed = times.changed && times.started && *times.changed >= *times.started;
  const bool counts =
      limits_.min_interval > Clock::Duration::zero() && item.change.type != ChangeType::deleted;
  if (!has_changed && !counts) times_.erase(found);
}

bool ObjectRuns::retry_later(const RunItem& item, const std::string& failure) {
  const std::string name = name_of_(item.item);
  if (limits_.max_retries >= 0 && item.retry >= limits_.max_retries) {
    objects_.given_up(item.item, item.change);
    forget(item);
    log::warning("run: {}: {}, given up after {} {}", name, failure, item.retry,
                 item.retry == 1 ? "retry" : "retries");
    on_given_up_();
    return false;
  }
  const Clock::Duration delay = queue_.add_rate_limited(item.item);
  {
    // Nobody else has the item before its done(): this is in time.
    MutexLock lock(mu_);
    Times& times = times_[item.item];
    times.failed = item.change;
    times.retry_at = clock_.now() + delay;
  }
  log::notice("run: {}: {}, retry {} in {}", name, failure, item.retry + 1, duration_text(delay));
  return true;
}

bool ObjectRuns::is_idle() {
  if (!queue_.is_idle()) return false;
  const std::size_t delayed = queue_.delayed();
  MutexLock lock(mu_);
  const auto retries = std::ranges::count_if(
      times_, [](const auto& entry) { return entry.second.failed.has_value(); });
  return delayed <= static_cast<std::size_t>(retries);
}

}  // namespace kinf
