// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/run/pending_changes.h"

#include <utility>

namespace kinf {
namespace {

bool same_state(const ObjectPtr& a, const ObjectPtr& b) {
  return a->uid() == b->uid() && a->resource_version() == b->resource_version();
}

}  // namespace

bool is_same(const Change& a, const Change& b) {
  return a.type == b.type && same_state(a.object, b.object);
}

void PendingChanges::changed(const RunKey& key, const Change& change) {
  MutexLock lock(mu_);
  State& state = states_[key];
  if (change.type != ChangeType::deleted) {
    const bool recreated = change.type == ChangeType::added
                               ? change.recreated || state.end.has_value()
                               : state.newest.recreated;
    state.newest = change;
    state.newest.recreated = recreated;
    state.newest.old = nullptr;  // next() sets `old`
    return;
  }
  ObjectPtr last = change.object ? change.object : state.newest.object;
  if ((state.delivered || state.started) && last) {
    state.end = change;
    state.end->object = std::move(last);
  }
  state.newest = {};
  state.delivered = nullptr;
  state.started = false;
  forget_if_over_locked(key);
}

void PendingChanges::set_delivered(const RunKey& key, const Change& change) {
  MutexLock lock(mu_);
  State& state = states_[key];
  state.newest = change;
  state.delivered = change.object;
}

std::optional<Change> PendingChanges::next(const RunKey& key) {
  MutexLock lock(mu_);
  const auto found = states_.find(key);
  if (found == states_.end()) return std::nullopt;
  return next_locked(found->second);
}

std::optional<Change> PendingChanges::next_locked(const State& state) const {
  if (state.end) return state.end;
  if (!state.newest.object) return std::nullopt;
  Change change = state.newest;
  change.type = state.delivered ? ChangeType::updated : ChangeType::added;
  change.old = state.delivered;
  if (state.delivered) {
    if (same_state(state.delivered, change.object)) return std::nullopt;
    if (matters_ && !matters_(*state.delivered, *change.object)) return std::nullopt;
    change.recreated = false;
  }
  if (state.given_up && is_same(*state.given_up, change)) return std::nullopt;
  return change;
}

void PendingChanges::started(const RunKey& key, const Change& change) {
  MutexLock lock(mu_);
  State& state = states_[key];
  // If the object was deleted since next(), deliver its deletion too.
  if (change.type == ChangeType::deleted) return;
  if (state.newest.object && state.newest.object->uid() == change.object->uid()) {
    state.started = true;
  } else if (!state.end) {
    state.end = change;
    state.end->type = ChangeType::deleted;
    state.end->old = nullptr;
  }
}

void PendingChanges::succeeded(const RunKey& key, const Change& change) {
  MutexLock lock(mu_);
  State& state = states_[key];
  state.given_up.reset();
  if (change.type == ChangeType::deleted) {
    if (state.end && state.end->object->uid() == change.object->uid()) state.end.reset();
  } else if (state.newest.object && state.newest.object->uid() == change.object->uid()) {
    state.delivered = change.object;
  }
  forget_if_over_locked(key);
}

void PendingChanges::given_up(const RunKey& key, const Change& change) {
  MutexLock lock(mu_);
  State& state = states_[key];
  if (change.type == ChangeType::deleted) {
    state.end.reset();
  } else {
    state.given_up = change;
  }
  forget_if_over_locked(key);
}

bool PendingChanges::retry_given_up(const RunKey& key, const ChangeOrigin& origin) {
  MutexLock lock(mu_);
  const auto found = states_.find(key);
  if (found == states_.end()) return false;
  State& state = found->second;
  if (!state.given_up || !state.newest.object) return false;
  state.given_up.reset();
  state.newest.origin = origin;
  return true;
}

bool PendingChanges::has_delivered_all() const {
  MutexLock lock(mu_);
  for (const auto& [key, state] : states_) {
    if (state.given_up || next_locked(state)) return false;
  }
  return true;
}

std::size_t PendingChanges::size() const {
  MutexLock lock(mu_);
  return states_.size();
}

void PendingChanges::forget_if_over_locked(const RunKey& key) {
  const auto found = states_.find(key);
  if (found == states_.end() || found->second.newest.object || found->second.end) return;
  states_.erase(found);
}

}  // namespace kinf
