// SPDX-License-Identifier: Apache-2.0
// VersionTracker: from which resourceVersion the reflector may go on. It moves only over what has
// been taken by the queue.
#pragma once

#include <string>

#include "kinf/api/watch_event.h"
#include "kinf/base/sync.h"
#include "kinf/cache/behaviour.h"

namespace kinf {

/// Threads: last() from any thread; all else from the reflector's.
class VersionTracker {
 public:
  explicit VersionTracker(Behaviour behaviour) : behaviour_(behaviour) {}

  /// Of the last list, event or bookmark; empty before the first list.
  std::string last() const;

  /// What a list asks for: `0` at first (any state will do), then at least the last one; the
  /// newest (an empty text) once the server has said that it cannot serve that.
  std::string for_list() const;
  /// What a streaming list asks for: as for a list, but the newest at first.
  std::string for_stream() const;

  /// The server cannot serve the last version: gone, or not reached.
  void mark_unavailable() { unavailable_ = true; }
  bool unavailable() const { return unavailable_; }

  void listed(std::string resource_version);
  /// A watch from last() begins. Started from nothing, it opens with made-up ADDED events in no
  /// order: their versions are no place to go on from (kubernetes#136583).
  void watch_started();
  /// An event was taken by the queue. In strict a version never moves backwards here (client-go
  /// takes whatever comes).
  void took(const WatchEvent& event);
  /// Nothing has been taken since the last list.
  bool is_fresh_from_list() const { return fresh_from_list_; }

 private:
  const Behaviour behaviour_;
  bool unavailable_ = false;
  bool fresh_from_list_ = false;
  bool ordered_ = true;  ///< the versions of ADDED events mean something
  mutable Mutex mu_;
  std::string last_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
