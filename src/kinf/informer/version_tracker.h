// SPDX-License-Identifier: Apache-2.0
// VersionTracker: tracks the resourceVersion from which the reflector may resume. It covers only
// events that the queue has accepted.
#pragma once

#include <string>

#include "kinf/api/watch_event.h"
#include "kinf/base/sync.h"
#include "kinf/cache/behaviour.h"

namespace kinf {

/// Threads: call last() from any thread and the others from the reflector's thread.
class VersionTracker {
 public:
  explicit VersionTracker(Behaviour behaviour) : behaviour_(behaviour) {}

  /// Returns the version of the last list, event or bookmark. Empty before the first list.
  std::string last() const;

  /// Returns the version for a list request: `0` (any version) at first, later last(). Returns an
  /// empty string (the newest version) after mark_unavailable().
  std::string for_list() const;
  /// Returns the version for a streaming list: like for_list(), but empty (the newest version) at
  /// first.
  std::string for_stream() const;

  /// Records that the server cannot serve last(): it expired, or the server has not reached it yet.
  void mark_unavailable() { unavailable_ = true; }
  bool unavailable() const { return unavailable_; }

  void listed(std::string resource_version);
  /// Call it when a watch from last() starts. If last() is empty or `0`, the watch starts with
  /// synthetic ADDED events in no order. A watch must not resume from their versions
  /// (kubernetes#136583).
  void watch_started();
  /// Records the version of an event that the queue has accepted. In strict, ignores older
  /// versions; client-go does not.
  void took(const WatchEvent& event);
  /// Returns true if no version was recorded since the last list.
  bool is_fresh_from_list() const { return fresh_from_list_; }

 private:
  const Behaviour behaviour_;
  bool unavailable_ = false;
  bool fresh_from_list_ = false;
  bool ordered_ = true;  ///< whether the versions of ADDED events are in order
  mutable Mutex mu_;
  std::string last_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
