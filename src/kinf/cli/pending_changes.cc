// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/pending_changes.h"

#include <utility>

namespace kinf {
namespace {

bool same_state(const ObjectPtr& a, const ObjectPtr& b) {
  return a->uid() == b->uid() && a->resource_version() == b->resource_version();
}

}  // namespace

bool ToldChange::is_same(const ToldChange& other) const {
  return type == other.type && same_state(object, other.object);
}

void PendingChanges::added(const std::string& item, const AddEvent& event) {
  MutexLock lock(mu_);
  State& state = states_[item];
  state.now = event.object;
  state.recreated = event.recreated || state.end.has_value();
  state.source = event.source;
  state.arrived = event.arrived;
}

void PendingChanges::updated(const std::string& item, const UpdateEvent& event) {
  MutexLock lock(mu_);
  State& state = states_[item];
  state.now = event.object;
  state.source = event.source;
  state.arrived = event.arrived;
}

void PendingChanges::deleted(const std::string& item, const DeleteEvent& event) {
  MutexLock lock(mu_);
  State& state = states_[item];
  ObjectPtr last = event.object ? event.object : state.now;
  if ((state.told || state.started) && last) {
    ToldChange end;
    end.type = PrintedEventType::deleted;
    end.object = std::move(last);
    end.source = event.source;
    end.arrived = event.arrived;
    end.final_state_unknown = event.final_state_unknown;
    state.end = std::move(end);
  }
  state.now = nullptr;
  state.told = nullptr;
  state.started = false;
  forget_if_over_locked(item);
}

void PendingChanges::set_delivered(const std::string& item, const ObjectPtr& object) {
  MutexLock lock(mu_);
  State& state = states_[item];
  state.now = object;
  state.told = object;
}

std::optional<ToldChange> PendingChanges::next(const std::string& item) {
  MutexLock lock(mu_);
  const auto found = states_.find(item);
  if (found == states_.end()) return std::nullopt;
  return next_locked(found->second);
}

std::optional<ToldChange> PendingChanges::next_locked(const State& state) const {
  if (state.end) return state.end;
  if (!state.now) return std::nullopt;
  ToldChange change;
  change.object = state.now;
  change.source = state.source;
  change.arrived = state.arrived;
  if (!state.told) {
    change.recreated = state.recreated;
  } else {
    if (same_state(state.told, state.now)) return std::nullopt;
    if (matters_ && !matters_(*state.told, *state.now)) return std::nullopt;
    change.type = PrintedEventType::updated;
    change.old = state.told;
  }
  if (state.given_up && state.given_up->is_same(change)) return std::nullopt;
  return change;
}

void PendingChanges::started(const std::string& item, const ToldChange& change) {
  MutexLock lock(mu_);
  State& state = states_[item];
  // An object that has gone in the meantime has an end to be told, since its beginning is.
  if (change.type == PrintedEventType::deleted) return;
  if (state.now && state.now->uid() == change.object->uid()) {
    state.started = true;
  } else if (!state.end) {
    ToldChange end = change;
    end.type = PrintedEventType::deleted;
    end.old = nullptr;
    state.end = std::move(end);
  }
}

void PendingChanges::succeeded(const std::string& item, const ToldChange& change) {
  MutexLock lock(mu_);
  State& state = states_[item];
  state.given_up.reset();
  if (change.type == PrintedEventType::deleted) {
    if (state.end && state.end->object->uid() == change.object->uid()) state.end.reset();
  } else if (state.now && state.now->uid() == change.object->uid()) {
    state.told = change.object;
  }
  forget_if_over_locked(item);
}

void PendingChanges::given_up(const std::string& item, const ToldChange& change) {
  MutexLock lock(mu_);
  State& state = states_[item];
  if (change.type == PrintedEventType::deleted) {
    state.end.reset();
  } else {
    state.given_up = change;
  }
  forget_if_over_locked(item);
}

std::size_t PendingChanges::size() const {
  MutexLock lock(mu_);
  return states_.size();
}

void PendingChanges::forget_if_over_locked(const std::string& item) {
  const auto found = states_.find(item);
  if (found != states_.end() && !found->second.now && !found->second.end) states_.erase(found);
}

}  // namespace kinf
