// SPDX-License-Identifier: Apache-2.0
// InitialEvents: collects the objects of a streaming list until the bookmark that ends it. They are
// not visible before that.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/api/watch_event.h"

namespace kinf {

/// The temporary store of client-go's Reflector.watchList.
/// Threads: one owner.
class InitialEvents {
 public:
  /// Applies an added, modified or deleted event.
  void apply(WatchEventType type, ObjectPtr object);
  /// Removes and returns the objects, in the order in which their keys first came.
  std::vector<ObjectPtr> take();
  std::size_t size() const { return positions_.size(); }

 private:
  std::vector<ObjectPtr> objects_;  ///< null: deleted again
  std::unordered_map<std::string, std::size_t> positions_;
};

}  // namespace kinf
