// SPDX-License-Identifier: Apache-2.0
// VersionTracker: the resourceVersion from which the reflector may resume. It only advances past
// what the queue has taken.
#pragma once

#include <string>

#include "kinf/api/watch_event.h"
#include "kinf/base/sync.h"
#include "kinf/cache/behaviour.h"

namespace kinf {

/// Threads: last() from any thread; the others from the reflector's.
class VersionTracker {
 public:
  explicit VersionTracker(Behaviour behaviour) : behaviour_(behaviour) {}

  /// Of the last list, event or bookmark; empty before the first list.
  std::string last() const;

  /// The version a list asks for: `0` at first (any state is fine), then at least the last one; the
  /// newest (an empty string) after the server could not serve that.
  std::string for_list() const;
  /// The version a streaming list asks for: as for a list, but the newest at first.
  std::string for_stream() const;

  /// The server cannot serve the last version: expired, or not reached yet.
  void mark_unavailable() { unavailable_ = true; }
  bool unavailable() const { return unavailable_; }

  void listed(std::string resource_version);
  /// A watch from last() starts. Without a version, it starts with synthetic ADDED events in no
  /// order, and a watch must not resume from their versions (kubernetes#136583).
  void watch_started();
  /// The queue has taken an event. In strict the version never goes back (in client-go it does).
  void took(const WatchEvent& event);
  /// Nothing has been taken since the last list.
  bool is_fresh_from_list() const { return fresh_from_list_; }

 private:
  const Behaviour behaviour_;
  bool unavailable_ = false;
  bool fresh_from_list_ = false;
  bool ordered_ = true;  ///< the versions of ADDED events are in order
  mutable Mutex mu_;
  std::string last_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
