// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/changed_objects.h"

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

void ChangedObjects::changed(const std::string& item, const Change& change) {
  MutexLock lock(mu_);
  State& state = states_[item];
  if (change.type != ChangeType::deleted) {
    const bool recreated = change.type == ChangeType::added
                               ? change.recreated || state.end.has_value()
                               : state.newest.recreated;
    state.newest = change;
    state.newest.recreated = recreated;
    return;
  }
  ObjectPtr last = change.object ? change.object : state.newest.object;
  if ((state.told || state.started) && last) {
    state.end = change;
    state.end->object = std::move(last);
  }
  state.newest = {};
  state.told = nullptr;
  state.started = false;
  forget_if_over_locked(item);
}

void ChangedObjects::take_as_told(const std::string& item, const Change& change) {
  MutexLock lock(mu_);
  State& state = states_[item];
  state.newest = change;
  state.told = change.object;
}

std::optional<Change> ChangedObjects::next(const std::string& item) {
  MutexLock lock(mu_);
  const auto found = states_.find(item);
  if (found == states_.end()) return std::nullopt;
  return next_locked(found->second);
}

std::optional<Change> ChangedObjects::next_locked(const State& state) const {
  if (state.end) return state.end;
  if (!state.newest.object) return std::nullopt;
  Change change = state.newest;
  change.type = state.told ? ChangeType::updated : ChangeType::added;
  change.old = state.told;
  if (state.told) {
    if (same_state(state.told, change.object)) return std::nullopt;
    if (matters_ && !matters_(*state.told, *change.object)) return std::nullopt;
    change.recreated = false;
  }
  if (state.given_up && is_same(*state.given_up, change)) return std::nullopt;
  return change;
}

void ChangedObjects::started(const std::string& item, const Change& change) {
  MutexLock lock(mu_);
  State& state = states_[item];
  // An object that has gone in the meantime has an end to be told, since its beginning is.
  if (change.type == ChangeType::deleted) return;
  if (state.newest.object && state.newest.object->uid() == change.object->uid()) {
    state.started = true;
  } else if (!state.end) {
    state.end = change;
    state.end->type = ChangeType::deleted;
    state.end->old = nullptr;
  }
}

void ChangedObjects::succeeded(const std::string& item, const Change& change) {
  MutexLock lock(mu_);
  State& state = states_[item];
  state.given_up.reset();
  if (change.type == ChangeType::deleted) {
    if (state.end && state.end->object->uid() == change.object->uid()) state.end.reset();
  } else if (state.newest.object && state.newest.object->uid() == change.object->uid()) {
    state.told = change.object;
  }
  forget_if_over_locked(item);
}

void ChangedObjects::given_up(const std::string& item, const Change& change) {
  MutexLock lock(mu_);
  State& state = states_[item];
  if (change.type == ChangeType::deleted) {
    state.end.reset();
  } else {
    state.given_up = change;
  }
  forget_if_over_locked(item);
}

std::size_t ChangedObjects::size() const {
  MutexLock lock(mu_);
  return states_.size();
}

void ChangedObjects::forget_if_over_locked(const std::string& item) {
  const auto found = states_.find(item);
  if (found == states_.end() || found->second.newest.object || found->second.end) return;
  states_.erase(found);
}

}  // namespace kinf
