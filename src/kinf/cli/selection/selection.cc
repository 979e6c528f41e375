// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/selection.h"

#include <utility>

namespace kinf {

SelectingHandler::SelectingHandler(const Selection& selection, EventHandler& inner)
    : selection_(selection), inner_(inner), holding_(selection.has_memberships()) {}

void SelectingHandler::take(const Change& change) {
  MutexLock lock(mu_);
  if (holding_) {
    held_.push_back(change);
  } else {
    take_locked(change);
  }
}

void SelectingHandler::on_known(const Change& known) {
  MutexLock lock(mu_);
  if (!selection_.selects(*known.object)) return;
  places_[known.key] = {known, true};
  inner_.on_known(known);
}

void SelectingHandler::on_synced(const SyncedEvent& event) {
  MutexLock lock(mu_);
  if (holding_) {
    synced_.push_back(event);
  } else {
    inner_.on_synced(event);
  }
}

void SelectingHandler::take_deletion_locked(const Change& change) {
  const auto place = places_.find(change.key);
  if (place == places_.end()) return;
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
  if (!selection_.passes_conditions(*change.object, change.old.get())) {
    if (place == places_.end()) return;
    if (was_member) leave_locked(change, place->second.last.object);
    places_.erase(place);
    return;
  }
  const bool is_member = selection_.is_member(*change.object);
  if (was_member && is_member) {
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
  for (const SyncedEvent& event : std::exchange(synced_, {})) inner_.on_synced(event);
}

void SelectingHandler::refresh(Clock::Wall now) {
  MutexLock lock(mu_);
  if (holding_) {
    release_locked();
  } else {
    for (auto& [key, place] : places_) {
      const bool is_member = selection_.is_member(*place.last.object);
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
  inner_.on_idle();
}

}  // namespace kinf
