// SPDX-License-Identifier: Apache-2.0
// SelectingHandler: passes the changes of selected objects on to another handler.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/sync.h"
#include "kinf/cli/selection/selection.h"

namespace kinf {

/// An object that begins to match is an addition, without an old state. An object that ceases to
/// match is a deletion: `object` is the state that no longer matches, `old` the last one that did.
/// A resync changes nothing. FilteringHandler of the library compares two states instead, so it
/// supports neither conditions that read the old state nor memberships.
///
/// If the selection has memberships, holds all changes back until refresh() is called.
/// Threads: an informer calls it like any other handler; any thread may call refresh(). A lock
/// keeps the two in order while `inner` runs. `inner` must not call back.
class SelectingHandler final : public EventHandler {
 public:
  /// Both must outlive this object.
  SelectingHandler(const Selection& selection, EventHandler& inner);

  void on_add(const Change& change) override { take(change); }
  void on_update(const Change& change) override { take(change); }
  void on_delete(const Change& change) override { take(change); }
  void on_known(const Change& known) override;
  void on_synced(const SyncedEvent& event) override;
  void on_idle() override { inner_.on_idle(); }

  /// Checks the memberships again, and passes on the additions and deletions that follow, with the
  /// time `now` and the source `watch`.
  void refresh(Clock::Wall now);

 private:
  /// An object that passes the conditions.
  struct Place {
    Change last;  ///< the newest change
    bool is_member = false;
  };

  void take(const Change& change);
  void take_locked(const Change& change) KINF_REQUIRES(mu_);
  void take_deletion_locked(const Change& change) KINF_REQUIRES(mu_);
  void release_locked() KINF_REQUIRES(mu_);
  /// Passes on that the object left. `seen`: the last state that was passed on.
  void leave_locked(const Change& change, const ObjectPtr& seen) KINF_REQUIRES(mu_);

  const Selection& selection_;
  EventHandler& inner_;
  Mutex mu_;
  bool holding_ KINF_GUARDED_BY(mu_);
  std::string last_deleted_ KINF_GUARDED_BY(mu_);  ///< key of the last deletion passed on
  std::vector<Change> held_ KINF_GUARDED_BY(mu_);
  std::vector<SyncedEvent> synced_ KINF_GUARDED_BY(mu_);  ///< held back too; at most one
  std::unordered_map<std::string, Place> places_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
