// SPDX-License-Identifier: Apache-2.0
// VersionTracker: tracks the resourceVersion from which the reflector may resume. It covers only
// events that the queue has accepted.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/api/object.h"
#include "kinf/base/sync.h"
#include "kinf/cache/functions.h"

namespace kinf {

// InitialEvents: collects the objects of a streaming list until the bookmark that completes it.
// Until then, the cache does not change.

/// Corresponds to the temporary store of client-go's Reflector.watchList.
/// Threads: one thread at a time.
class InitialEvents {
 public:
  /// Applies an added, modified or deleted event.
  void apply(WatchEventType type, ObjectPtr object);
  /// Removes and returns the objects, in the order in which their keys were first added.
  std::vector<ObjectPtr> take();
  std::size_t size() const { return positions_.size(); }

 private:
  std::vector<ObjectPtr> objects_;  ///< null if the object was deleted again
  std::unordered_map<std::string, std::size_t> positions_;  ///< key to index in objects_
};

// Functions that compare resourceVersions. All other code treats them as opaque text.

/// Returns whether both are decimal numbers and `a` is smaller. Returns false if one is not a
/// number.
bool is_older_version(std::string_view a, std::string_view b);

/// Returns the text for a user when the versions of a server went back.
std::string set_back_text(std::string_view from, std::string_view to);

/// Returns whether both are the same version of the same object. Compares uid and resourceVersion,
/// and the JSON documents if a transform removed the resourceVersion.
bool is_same_state(const Object& a, const Object& b);

/// Threads: call last() from any thread and all other functions from the reflector's thread.
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
  std::string for_stream() const { return unavailable_ ? "" : last(); }

  /// Records that the server cannot serve last(): that version expired, or the server has not
  /// reached it.
  void mark_unavailable() { unavailable_ = true; }
  bool unavailable() const { return unavailable_; }

  void listed(std::string resource_version);
  /// Call it when a watch from last() starts. If last() is empty or `0`, the watch starts with
  /// synthetic ADDED events in no order. A watch must not resume from their versions
  /// (kubernetes#136583).
  void watch_started();
  /// Records the version of an event that the queue has accepted. Behaviour::strict ignores older
  /// versions; client-go does not.
  void took(const WatchEvent& event);
  /// Returns whether no event or bookmark was recorded since the last list.
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
