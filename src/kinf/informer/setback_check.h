// SPDX-License-Identifier: Apache-2.0
// SetbackCheck: finds out whether a server that was out of reach has come back with older versions,
// as it does when its etcd was restored from a backup.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kinf/api/lister_watcher.h"
#include "kinf/informer/pager.h"

namespace kinf {

/// Compares the server's newest resourceVersion with the version that a watch resumes from. A
/// server accepts a watch from a version that it has not reached, and is silent until it reaches
/// that version. So a client that continues its watch after the restore of a backup would show the
/// lost state for a long time.
///
/// Asks once for each reconnect that follows a failure, while the watch runs: one request for one
/// object (ListerWatcher::newest_version()). If the request fails, asks at most twice again, and
/// after that with the next watch. A failed check has no other effect. Versions that are no decimal
/// numbers are not compared. Threads: one thread at a time.
class SetbackCheck {
 public:
  struct Setback {
    std::string from;  ///< the version that the watch resumed from
    std::string to;    ///< the server's newest version, which is older
  };

  /// All references must outlive the check.
  SetbackCheck(ListerWatcher& source, DialPacer& pacer, const Clock& clock)
      : source_(source), pacer_(pacer), clock_(clock) {}

  /// Makes the next watch_opened() ask. Call it after a failure.
  void arm() { is_armed_ = true; }
  bool is_armed() const { return is_armed_; }
  /// Call it when a list was received: its version is the server's.
  void listed();
  /// Call it when the server has accepted a watch from `version`. Asks if arm() was called.
  void watch_opened(std::string version);
  /// Call it when the watch has ended. A check without an answer is made again with the next watch.
  void watch_ended();
  /// Does the work that is ready, without waiting. Returns a value if the server's versions went
  /// back.
  std::optional<Setback> poll();
  /// Returns when poll() must be called even if no data arrives; kNever if there is no such time.
  Clock::Mono deadline() const;

 private:
  /// Ignores the object.
  class NoSink final : public ListSink {
    void item(ObjectPtr object) override { (void)object; }
  };

  void send();
  void failed(const Error* error);

  ListerWatcher& source_;
  DialPacer& pacer_;
  const Clock& clock_;
  NoSink sink_;
  bool is_armed_ = false;
  std::string watched_from_;
  int tries_ = 0;                       ///< requests sent for the current watch
  std::optional<Clock::Mono> send_at_;  ///< when the next request is due
  Clock::Mono sent_at_{};
  std::unique_ptr<ListCall> call_;  ///< the running request
};

}  // namespace kinf
