// SPDX-License-Identifier: Apache-2.0
// InitialEvents: collects the objects of a streaming list until the bookmark that completes it.
// Until then, the cache does not change.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/api/watch_event.h"

namespace kinf {

/// The temporary store of client-go's Reflector.watchList.
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

}  // namespace kinf
