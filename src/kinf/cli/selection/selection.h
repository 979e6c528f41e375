// SPDX-License-Identifier: Apache-2.0
// Selection: the conditions on objects that kinf checks itself because the server cannot.
// SelectingHandler: passes the changes of selected objects on to another handler.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/api/object.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Threads: immutable after the informers have started; the conditions are called from any thread.
class Selection {
 public:
  /// A condition on an object that is checked when the object changes. `old` is the previous state;
  /// null for an addition.
  using Condition = std::function<bool(const Object& object, const Object* old)>;
  /// A condition whose result can change although the object does not: it depends on the labels of
  /// the object's namespace, or on its owners. SelectingHandler::refresh() checks it again.
  using Membership = std::function<bool(const Object& object)>;

  /// Returns the time from which on the state of an object is selected; nullopt if it is not.
  /// `seen`: see failing_from().
  using Start = std::function<std::optional<Clock::Wall>(const Object& object, Clock::Wall seen)>;

  void add(Condition condition) { conditions_.push_back(std::move(condition)); }
  void add_membership(Membership membership) { memberships_.push_back(std::move(membership)); }

  /// Selects objects only from their `start` on, by `clock`. SelectingHandler calls `wake` when its
  /// due() gets earlier.
  void set_start(Start start, const Clock& clock, std::function<void()> wake) {
    start_ = std::move(start);
    clock_ = &clock;
    wake_ = std::move(wake);
  }

  /// Selects the objects that need attention (--failing), by failing_from(). See set_start().
  void select_failing(const Clock& clock, std::function<void()> wake);

  /// Makes an object that was selected stay selected until it is deleted. Its changes are then
  /// passed on as they are, beginning with the one by which it is selected, or with its deletion.
  void keep_selected() { keeps_selected_ = true; }
  bool keeps_selected() const { return keeps_selected_; }

  /// Returns whether every object is selected.
  bool selects_all() const { return conditions_.empty() && memberships_.empty() && !start_; }
  bool has_memberships() const { return !memberships_.empty(); }

  bool passes_conditions(const Object& object, const Object* old) const {
    for (const Condition& condition : conditions_) {
      if (!condition(object, old)) return false;
    }
    return true;
  }
  bool is_member(const Object& object) const {
    for (const Membership& membership : memberships_) {
      if (!membership(object)) return false;
    }
    return true;
  }
  /// Returns the start of the object's state; Wall::min() if set_start() was not called.
  std::optional<Clock::Wall> start_of(const Object& object, Clock::Wall seen) const {
    return start_ ? start_(object, seen) : Clock::Wall::min();
  }
  /// Returns whether a result of start_of() has come.
  bool has_come(const std::optional<Clock::Wall>& start) const {
    return start && (!start_ || *start <= clock_->wall());
  }
  void wake() const { wake_(); }
  /// Returns whether an object in a cache is selected.
  bool selects(const Object& object) const {
    return passes_conditions(object, nullptr) && is_member(object) &&
           has_come(start_of(object, Clock::Wall::min()));
  }

 private:
  std::vector<Condition> conditions_;
  std::vector<Membership> memberships_;
  bool keeps_selected_ = false;
  Start start_;  ///< empty if every state is selected at once
  const Clock* clock_ = nullptr;
  std::function<void()> wake_;
};

/// An object that starts to match is passed on as an addition, without an old state. An object that
/// stops matching is passed on as a deletion: `object` is the state that no longer matches, `old`
/// the last one that did. A resync does not change which objects match. FilteringHandler of the
/// library compares two states instead, so it supports neither conditions that read the old state
/// nor memberships.
///
/// If the selection has a start, an object is passed on as an addition when its start comes: at the
/// next change or refresh() after it. It stays selected until it has no start any more, even if
/// another state in between would start later. An object of an earlier run (on_known()) whose start
/// is a time counts as not passed on by that run.
///
/// If the selection has memberships, holds all changes back until the first refresh().
/// Threads: an informer calls this object like any other handler; any thread may call refresh().
/// Both hold a lock while `inner` runs, so `inner` must not call this object.
class SelectingHandler final : public EventHandler {
 public:
  /// `selection` and `inner` must outlive this object.
  SelectingHandler(const Selection& selection, EventHandler& inner);

  void on_add(const Change& change) override { take(change); }
  void on_update(const Change& change) override { take(change); }
  void on_delete(const Change& change) override { take(change); }
  void on_known(const Change& known) override;
  void on_synced(const SyncedEvent& event) override;
  void on_idle() override;

  /// Returns when refresh() must be called next, because the start of an object comes;
  /// Wall::max() if no object waits for its start, and before the initial list is complete.
  Clock::Wall due() const { return Clock::Wall(Clock::Duration(due_.load())); }
  /// Checks the memberships and starts again, and passes on the resulting additions and deletions,
  /// with the time `now` and the source `watch`.
  void refresh(Clock::Wall now);

 private:
  /// An object that passes the conditions.
  struct Place {
    Change last;                         ///< the newest change
    std::optional<Clock::Wall> start{};  ///< see Selection::Start
    bool is_member = false;              ///< passed on to `inner`
  };

  void take(const Change& change);
  void take_locked(const Change& change) KINF_REQUIRES(mu_);
  void take_deletion_locked(const Change& change) KINF_REQUIRES(mu_);
  void release_locked() KINF_REQUIRES(mu_);
  /// Passes on the objects whose start has come.
  void check_starts_locked() KINF_REQUIRES(mu_);
  void check_again_locked(Clock::Wall now) KINF_REQUIRES(mu_);
  std::optional<Clock::Wall> start_of(const Change& change, const Place* place) const;
  bool is_selected(const Object& object, const std::optional<Clock::Wall>& start) const {
    return selection_.has_come(start) && selection_.is_member(object);
  }
  /// Notes that an object waits for its start.
  void expect_locked(const std::optional<Clock::Wall>& start) KINF_REQUIRES(mu_);
  void publish_due_locked() KINF_REQUIRES(mu_);
  /// Passes on the deletion of an object that has stopped matching. `seen` is the last state that
  /// was passed on.
  void leave_locked(const Change& change, const ObjectPtr& seen) KINF_REQUIRES(mu_);

  const Selection& selection_;
  EventHandler& inner_;
  std::atomic<Clock::Duration::rep> due_{Clock::Wall::max().time_since_epoch().count()};
  Mutex mu_;
  bool is_complete_ KINF_GUARDED_BY(mu_) = false;               ///< the initial list was passed on
  Clock::Wall next_ KINF_GUARDED_BY(mu_) = Clock::Wall::max();  ///< the next start of an object
  bool holding_ KINF_GUARDED_BY(mu_);
  std::string last_deleted_ KINF_GUARDED_BY(mu_);  ///< key of the last deletion passed on
  std::vector<Change> held_ KINF_GUARDED_BY(mu_);
  std::vector<SyncedEvent> synced_ KINF_GUARDED_BY(mu_);  ///< held back with held_; at most one
  std::unordered_map<std::string, Place> places_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
