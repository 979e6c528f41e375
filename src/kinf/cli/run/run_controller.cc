// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/run/run_controller.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "kinf/base/duration.h"
#include "kinf/base/log.h"

namespace kinf {

RunController::RunController(const RunLimits& limits, Clock& clock, PendingChanges::Matters matters,
                             Launch launch, bool name_types, std::function<void()> on_given_up)
    : limits_(limits),
      clock_(clock),
      launch_(std::move(launch)),
      name_types_(name_types),
      on_given_up_(std::move(on_given_up)),
      objects_(std::move(matters)),
      queue_(clock, std::make_unique<TypedExponentialFailureLimiter<RunKey>>(
                        limits.first_backoff, limits.longest_backoff)) {}

void RunController::changed(const RunKey& key, const Change& change) {
  if (change.type == ChangeType::resync) {
    if (objects_.retry_given_up(key, change.origin)) queue_.add(key);
    return;
  }
  objects_.changed(key, change);
  if (limits_.debounce > Clock::Duration::zero()) {
    MutexLock lock(mu_);
    times_[key].changed = clock_.now();
  }
  queue_.add(key);
}

void RunController::set_delivered(const RunKey& key, const Change& change) {
  objects_.set_delivered(key, change);
}

bool RunController::work(const std::stop_token& stop) {
  std::optional<RunKey> key = queue_.get(stop);
  if (!key) return false;
  work_on(*std::move(key));
  return true;
}

bool RunController::try_work() {
  std::optional<RunKey> key = queue_.try_get();
  if (!key) return false;
  work_on(*std::move(key));
  return true;
}

void RunController::work_on(RunKey key) {
  std::vector<RunItem> batch;
  if (auto first = prepare(key)) batch.push_back(*std::move(first));
  while (!batch.empty() && batch.size() < limits_.batch) {
    const std::optional<RunKey> more = queue_.try_get();
    if (!more) break;
    if (auto prepared = prepare(*more)) batch.push_back(*std::move(prepared));
  }
  if (batch.empty()) return;
  const std::optional<std::string> failure = launch_(batch);
  for (const RunItem& done : batch) finish(done, failure);
}

std::optional<RunItem> RunController::prepare(const RunKey& key) {
  const std::optional<Change> change = objects_.next(key);
  if (!change) {
    {
      MutexLock lock(mu_);
      const auto found = times_.find(key);
      const bool counts = limits_.min_interval > Clock::Duration::zero() && found != times_.end() &&
                          found->second.started;
      if (found != times_.end() && !counts) times_.erase(found);
    }
    queue_.forget(key);
    queue_.cancel(key);
    queue_.done(key);
    return std::nullopt;
  }
  const Clock::Mono now = clock_.now();
  Clock::Mono earliest{};
  {
    MutexLock lock(mu_);
    earliest = earliest_locked(key, *change);
    if (earliest <= now) times_[key].started = now;
  }
  if (earliest > now) {
    queue_.add_after(key, earliest - now);
    queue_.done(key);
    return std::nullopt;
  }
  objects_.started(key, *change);
  return RunItem{key, *change, queue_.num_requeues(key)};
}

Clock::Mono RunController::earliest_locked(const RunKey& key, const Change& change) {
  const auto found = times_.find(key);
  if (found == times_.end()) return Clock::Mono::min();
  const Times& times = found->second;
  Clock::Mono earliest = Clock::Mono::min();
  if (times.changed) earliest = std::max(earliest, *times.changed + limits_.debounce);
  if (times.started) earliest = std::max(earliest, *times.started + limits_.min_interval);
  // Only a change that has failed waits for its retry. A newer change runs without that delay.
  if (times.failed && is_same(*times.failed, change)) earliest = std::max(earliest, times.retry_at);
  return earliest;
}

void RunController::finish(const RunItem& item, const std::optional<std::string>& failure) {
  const bool is_over = failure ? !retry_later(item, *failure) : true;
  if (!failure) {
    objects_.succeeded(item.key, item.change);
    forget(item);
  }
  // If the object was created again, its creation is still pending.
  if (is_over && objects_.next(item.key)) queue_.add(item.key);
  queue_.done(item.key);
}

void RunController::forget(const RunItem& item) {
  queue_.forget(item.key);
  queue_.cancel(item.key);
  MutexLock lock(mu_);
  const auto found = times_.find(item.key);
  if (found == times_.end()) return;
  Times& times = found->second;
  times.failed.reset();
  const bool has_changed = times.changed && times.started && *times.changed >= *times.started;
  const bool counts =
      limits_.min_interval > Clock::Duration::zero() && item.change.type != ChangeType::deleted;
  if (!has_changed && !counts) times_.erase(found);
}

bool RunController::retry_later(const RunItem& item, const std::string& failure) {
  const std::string name =
      name_types_ ? item.key.type->gvr.group_resource() + " " + item.key.key : item.key.key;
  if (limits_.max_retries >= 0 && item.retry >= limits_.max_retries) {
    objects_.given_up(item.key, item.change);
    forget(item);
    log::warning("run: {}: {}, given up after {} {}", name, failure, item.retry,
                 item.retry == 1 ? "retry" : "retries");
    on_given_up_();
    return false;
  }
  const Clock::Duration delay = queue_.add_rate_limited(item.key);
  {
    // These members can be set after the key was queued, because no other worker gets the key
    // before done().
    MutexLock lock(mu_);
    Times& times = times_[item.key];
    times.failed = item.change;
    times.retry_at = clock_.now() + delay;
  }
  if (queue_.is_shutting_down()) {  // there will be no retry
    log::notice("run: {}: {}", name, failure);
  } else {
    log::notice("run: {}: {}, retry {} in {}", name, failure, item.retry + 1, duration_text(delay));
  }
  return true;
}

}  // namespace kinf
