// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/selection.h"

#include <algorithm>
#include <utility>

#include "kinf/cli/selection/failing.h"

namespace kinf {

void Selection::select_failing(const Clock& clock, std::function<void()> wake) {
  set_start(failing_from, clock, std::move(wake));
}

SelectingHandler::SelectingHandler(const Selection& selection, EventHandler& inner)
    : selection_(selection), inner_(inner), holding_(selection.has_memberships()) {}

void SelectingHandler::take(const Change& change) {
  MutexLock lock(mu_);
  if (holding_) {
    held_.push_back(change);
  } else {
    take_locked(change);
    check_starts_locked();
  }
}

void SelectingHandler::on_idle() {
  {
    MutexLock lock(mu_);
    check_starts_locked();
  }
  inner_.on_idle();
}

void SelectingHandler::on_known(const Change& known) {
  MutexLock lock(mu_);
  const bool passes = selection_.passes_conditions(*known.object, nullptr);
  if (!passes || !selection_.is_member(*known.object)) return;
  const std::optional<Clock::Wall> start = start_of(known, nullptr);
  const bool was_passed_on = start == Clock::Wall::min();
  places_[known.key] = {known, start, was_passed_on};
  if (was_passed_on) return inner_.on_known(known);
  if (start) next_ = std::min(next_, *start);
}

/// A state that was fine before has lasted since its change arrived. A selected object stays so.
std::optional<Clock::Wall> SelectingHandler::start_of(const Change& change,
                                                      const Place* place) const {
  const bool is_new = place == nullptr;
  const bool was_fine = !is_new && !place->start;
  const std::optional<Clock::Wall> start =
      selection_.start_of(*change.object, was_fine ? change.origin.arrived : Clock::Wall::min());
  if (!start || is_new || was_fine || *start == Clock::Wall::min()) return start;
  return place->is_member ? place->start : std::max(*start, *place->start);
}

void SelectingHandler::expect_locked(const std::optional<Clock::Wall>& start) {
  if (!start || selection_.has_come(start) || *start >= next_) return;
  next_ = *start;
  publish_due_locked();
}

void SelectingHandler::publish_due_locked() {
  if (!is_complete_) return;
  const Clock::Duration::rep next = next_.time_since_epoch().count();
  if (due_.exchange(next) > next) selection_.wake();
}

void SelectingHandler::check_starts_locked() {
  if (is_complete_ && next_ != Clock::Wall::max() && selection_.has_come(next_)) {
    check_again_locked(next_);
  }
}

void SelectingHandler::on_synced(const SyncedEvent& event) {
  MutexLock lock(mu_);
  if (holding_) {
    synced_.push_back(event);
  } else {
    inner_.on_synced(event);
    is_complete_ = true;
    publish_due_locked();
  }
}

void SelectingHandler::take_deletion_locked(const Change& change) {
  const auto place = places_.find(change.key);
  if (place == places_.end()) {
    if (!selection_.keeps_selected() || !change.object) return;
    if (selection_.passes_conditions(*change.object, change.old.get())) inner_.on_delete(change);
    return;
  }
  if (place->second.is_member) {
    last_deleted_ = change.key;
    inner_.on_delete(change);
  }
  places_.erase(place);
}

void SelectingHandler::take_locked(const Change& change) {
  if (change.type == ChangeType::deleted) return take_deletion_locked(change);
  const auto place = places_.find(change.key);
  const bool was_member = place != places_.end() && place->second.is_member;
  if (change.type == ChangeType::resync) {  // a resync changes nothing
    if (was_member) inner_.on_update(change);
    return;
  }
  const bool stays = was_member && selection_.keeps_selected();
  if (!stays && !selection_.passes_conditions(*change.object, change.old.get())) {
    if (place == places_.end()) return;
    if (was_member) leave_locked(change, place->second.last.object);
    places_.erase(place);
    return;
  }
  const std::optional<Clock::Wall> start =
      start_of(change, place == places_.end() ? nullptr : &place->second);
  expect_locked(start);  // first, so that a start that comes meanwhile is not missed
  const bool is_member = is_selected(*change.object, start);
  if (is_member && (was_member || selection_.keeps_selected())) {
    inner_.handle(change);
  } else if (was_member) {
    leave_locked(change, place->second.last.object);
  } else if (is_member) {
    Change added = change;
    added.type = ChangeType::added;
    added.old = nullptr;
    // An object counts as recreated only if the deletion of the earlier object was passed on.
    added.recreated = change.recreated && change.key == last_deleted_;
    inner_.on_add(added);
  }
  Place& now = places_[change.key];
  now.last = change;
  now.last.old = nullptr;  // keep no more versions than the cache
  now.start = start;
  now.is_member = is_member;
}

void SelectingHandler::leave_locked(const Change& change, const ObjectPtr& seen) {
  Change deleted = change;
  deleted.type = ChangeType::deleted;
  deleted.old = seen;
  last_deleted_ = change.key;
  inner_.on_delete(deleted);
}

void SelectingHandler::release_locked() {
  holding_ = false;
  for (const Change& change : std::exchange(held_, {})) take_locked(change);
  for (const SyncedEvent& event : std::exchange(synced_, {})) {
    inner_.on_synced(event);
    is_complete_ = true;
  }
  publish_due_locked();
}

void SelectingHandler::check_again_locked(Clock::Wall now) {
  next_ = Clock::Wall::max();
  due_ = next_.time_since_epoch().count();
  for (auto& [key, place] : places_) {
    expect_locked(place.start);
    const bool is_member = is_selected(*place.last.object, place.start);
    if (is_member == std::exchange(place.is_member, is_member)) continue;
    place.last.initial = false;
    place.last.origin = {.source = ChangeSource::watch, .arrived = now};
    if (is_member) {
      place.last.type = ChangeType::added;
      place.last.recreated = false;
      inner_.on_add(place.last);
    } else {
      leave_locked(place.last, place.last.object);
    }
  }
}

void SelectingHandler::refresh(Clock::Wall now) {
  MutexLock lock(mu_);
  if (holding_) {
    release_locked();
  } else {
    check_again_locked(now);
  }
  inner_.on_idle();
}

}  // namespace kinf
