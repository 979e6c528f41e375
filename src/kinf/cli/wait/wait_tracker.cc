// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/wait/wait_tracker.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kinf/base/log.h"
#include "kinf/kubernetes/rollout_status.h"
#include "kinf/print/secret_mask.h"

namespace kinf {

/// Passes the changes of one informer on to the tracker.
class WaitTracker::Handler final : public EventHandler {
 public:
  Handler(WaitTracker& tracker, WaitSource source)
      : tracker_(tracker), source_(std::move(source)) {}

  void on_add(const Change& change) override { tracker_.note(source_, change); }
  void on_update(const Change& change) override {
    if (change.type != ChangeType::resync) tracker_.note(source_, change);
  }
  void on_delete(const Change& change) override { tracker_.note(source_, change); }
  void on_synced(const SyncedEvent&) override { tracker_.list_completed(*this); }

  const WaitSource& source() const { return source_; }
  bool is_complete = false;  ///< guarded by the tracker's lock

 private:
  WaitTracker& tracker_;
  const WaitSource source_;
};

WaitTracker::WaitTracker(WaitGoal goal, std::size_t clusters, Clock& clock, std::stop_token stop)
    : goal_(std::move(goal)),
      clock_(clock),
      stop_(std::move(stop)),
      pending_(clusters),
      is_added_(clusters) {}

WaitTracker::~WaitTracker() = default;

EventHandler& WaitTracker::add(WaitSource source) {
  MutexLock lock(mu_);
  ++pending_;
  handlers_.push_back(std::make_unique<Handler>(*this, std::move(source)));
  const WaitSource& added = handlers_.back()->source();
  if (added.has_one_object()) {
    AwaitedObject& object = objects_[place_of(added, added.key())];
    object.source = &added;
    object.ns = added.ns;
    object.name = added.name;
    std::vector<bool> holds;
    for (const Condition& condition : goal_.conditions) {
      holds.push_back(condition.form() == Condition::Form::deletion);
    }
    update_locked(object, Change(), holds);
  }
  return *handlers_.back();
}

void WaitTracker::all_added(std::size_t cluster_rank) {
  MutexLock lock(mu_);
  is_added_[cluster_rank] = true;
  complete_locked();
}

void WaitTracker::complete_locked() {
  if (--pending_ == 0) settled_.notify_all();
  settle_locked();
}

void WaitTracker::list_completed(Handler& handler) {
  MutexLock lock(mu_);
  if (!std::exchange(handler.is_complete, true)) complete_locked();
}

void WaitTracker::leave_out(std::size_t cluster_rank) {
  MutexLock lock(mu_);
  if (state_ != State::waiting) return;
  if (!is_added_[cluster_rank]) --pending_;
  for (const auto& handler : handlers_) {
    if (handler->source().cluster_rank != cluster_rank) continue;
    if (!std::exchange(handler->is_complete, true)) --pending_;
  }
  settled_.notify_all();
  for (auto entry = objects_.begin(); entry != objects_.end();) {
    const bool is_left_out = entry->first.cluster_rank == cluster_rank;
    if (is_left_out && entry->second.is_satisfied) --satisfied_;
    entry = is_left_out ? objects_.erase(entry) : std::next(entry);
  }
  settle_locked();
}

bool WaitTracker::holds(const Condition& condition, const WaitSource& source, const Change& change,
                        std::optional<Error>& error) {
  if (change.type == ChangeType::deleted) return condition.form() == Condition::Form::deletion;
  Result<bool> result = condition.holds(change.object.get(), stop_);
  if (result) return *result;
  if (result.error().kind == ErrorKind::stopped) return false;
  if (condition.form() != Condition::Form::jq || result.error().kind == ErrorKind::internal) {
    error = std::move(result).error();
    return false;
  }
  // A jq program can fail for objects that do not have all fields yet.
  {
    MutexLock lock(mu_);
    if (std::exchange(has_logged_, true)) return false;
  }
  log::notice("{}: {} {}: {}", condition.text(), source.type->gvr.group_resource(), change.key,
              is_secret_type(*source.type) ? "cannot be evaluated" : result.error().message);
  return false;
}

WaitTracker::Verdict WaitTracker::evaluate(const WaitSource& source, const Change& change) {
  Verdict verdict;
  for (const Condition& condition : goal_.failures) {
    if (holds(condition, source, change, verdict.error)) verdict.failure = &condition;
    if (verdict.failure != nullptr) return verdict;
  }
  for (const Condition& condition : goal_.conditions) {
    verdict.holds.push_back(holds(condition, source, change, verdict.error));
    if (goal_.fails_with(condition) && change.type != ChangeType::deleted && !verdict.error &&
        condition.rollout_of(*change.object).phase == Rollout::Phase::failed) {
      verdict.failure = &condition;
    }
  }
  return verdict;
}

bool WaitTracker::is_kept_locked(const WaitSource& source, const Change& change,
                                 const Condition& condition) const {
  const auto known = objects_.find(place_of(source, change.key));
  if (known == objects_.end() || !goal_.is_kept(condition)) return false;
  for (std::size_t i = 0; i < goal_.conditions.size(); ++i) {
    if (&goal_.conditions[i] == &condition) return known->second.met[i];
  }
  return false;
}

void WaitTracker::note(const WaitSource& source, const Change& change) {
  if (state() != State::waiting) return;
  Verdict verdict = evaluate(source, change);
  MutexLock lock(mu_);
  ++changes_;
  settle_locked();  // the goal may have been met for long enough before this change
  if (state_ != State::waiting) return;
  if (verdict.failure != nullptr && !is_kept_locked(source, change, *verdict.failure)) {
    failure_ = Failure{described(source, change), verdict.failure};
    state_ = State::failed;
  } else if (verdict.error) {
    error_ = std::move(verdict.error);
    state_ = State::broken;
  } else {
    apply_locked(source, change, verdict.holds);
  }
  if (state_ != State::waiting) settled_.notify_all();
  settle_locked();
}

AwaitedObject WaitTracker::described(const WaitSource& source, const Change& change) {
  AwaitedObject object;
  const std::size_t slash = change.key.find('/');
  object.source = &source;
  object.ns = slash == std::string::npos ? "" : change.key.substr(0, slash);
  object.name = change.key.substr(slash == std::string::npos ? 0 : slash + 1);
  object.last = change.object;
  object.exists = change.type != ChangeType::deleted;
  object.changed = change.origin.arrived;
  return object;
}

void WaitTracker::apply_locked(const WaitSource& source, const Change& change,
                               const std::vector<bool>& holds) {
  const Place place = place_of(source, change.key);
  auto known = objects_.find(place);
  if (known == objects_.end()) {
    const bool is_late = !change.initial && goal_.awaits_initial_only();
    if (change.type == ChangeType::deleted || is_late) return;
    known = objects_.emplace(place, described(source, change)).first;
    known->second.last = nullptr;
  }
  AwaitedObject& object = known->second;
  update_locked(object, change, holds);
  object.exists = change.type != ChangeType::deleted;
  object.changed = change.origin.arrived;
  if (object.exists || object.is_satisfied || source.has_one_object()) return;
  objects_.erase(known);
}

void WaitTracker::update_locked(AwaitedObject& object, const Change& change,
                                const std::vector<bool>& holds) {
  std::vector<bool> met = holds;
  for (std::size_t i = 0; i < object.met.size(); ++i) {
    const Condition& condition = goal_.conditions[i];
    // `delete` does not stay met for an object that has never existed.
    const bool was_there = condition.form() != Condition::Form::deletion || object.last;
    if (object.met[i] && was_there && goal_.is_kept(condition)) met[i] = true;
  }
  object.met = std::move(met);
  const bool was_satisfied = object.is_satisfied && object.last;
  if (change.object) object.last = change.object;
  if (object.is_satisfied) --satisfied_;
  const auto is_true = [](bool one) { return one; };
  object.is_satisfied = goal_.any ? std::ranges::any_of(object.met, is_true)
                                  : std::ranges::all_of(object.met, is_true);
  if (!object.is_satisfied) return;
  ++satisfied_;
  if (was_satisfied) return;
  object.satisfied_at = change.origin.arrived;
  object.satisfying_version = change.object ? change.object->resource_version() : "";
}

bool WaitTracker::lacks_named_locked() const {
  for (const auto& handler : handlers_) {
    const WaitSource& source = handler->source();
    if (source.name.empty() || source.has_one_object()) continue;
    const auto first = objects_.lower_bound(place_of(source, ""));
    if (first == objects_.end() || first->second.source != &source) return true;
  }
  return false;
}

bool WaitTracker::is_met_locked() const {
  if (pending_ > 0) return false;
  if (goal_.count) return goal_.count->holds(satisfied_);
  if (!goal_.awaits_deletion() && lacks_named_locked()) return false;
  if (objects_.empty()) return goal_.awaits_deletion();
  return satisfied_ == objects_.size();
}

void WaitTracker::settle_locked() {
  if (state_ != State::waiting) return;
  const Clock::Mono now = clock_.now();
  const bool was_met = met_since_.has_value();
  if (was_met && now >= *met_since_ + goal_.duration) {
    state_ = State::met;
  } else if (!is_met_locked()) {
    met_since_.reset();
  } else if (!was_met) {
    met_since_ = now;
    if (goal_.duration == Clock::Duration::zero()) state_ = State::met;
  }
  if (state_ != State::waiting || was_met != met_since_.has_value()) settled_.notify_all();
}

WaitTracker::State WaitTracker::wait(Clock::Mono deadline, bool once, const std::stop_token& stop) {
  MutexLock lock(mu_);
  while (true) {
    settle_locked();
    if (state_ != State::waiting || stop.stop_requested()) return state_;
    if (clock_.now() >= deadline || (once && pending_ == 0)) {
      state_ = State::timed_out;
      return state_;
    }
    const Clock::Mono due = met_since_ ? *met_since_ + goal_.duration : Clock::kNever;
    clock_.wait_until(settled_, mu_, std::min(deadline, due), stop);
  }
}

WaitTracker::State WaitTracker::end() {
  MutexLock lock(mu_);
  settle_locked();
  if (state_ == State::waiting) state_ = State::timed_out;
  settled_.notify_all();
  return state_;
}

WaitTracker::State WaitTracker::state() const {
  MutexLock lock(mu_);
  return state_;
}

bool WaitTracker::is_complete() const {
  MutexLock lock(mu_);
  return pending_ == 0;
}

std::vector<AwaitedObject> WaitTracker::objects() const {
  MutexLock lock(mu_);
  std::vector<AwaitedObject> all;
  for (const auto& [place, object] : objects_) all.push_back(object);
  return all;
}

std::optional<Clock::Duration> WaitTracker::held() const {
  MutexLock lock(mu_);
  return met_since_ ? std::optional(clock_.now() - *met_since_) : std::nullopt;
}

std::uint64_t WaitTracker::changes() const {
  MutexLock lock(mu_);
  return changes_;
}

std::optional<WaitTracker::Failure> WaitTracker::failure() const {
  MutexLock lock(mu_);
  return failure_;
}

std::optional<Error> WaitTracker::error() const {
  MutexLock lock(mu_);
  return error_;
}

}  // namespace kinf
