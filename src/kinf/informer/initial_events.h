// SPDX-License-Identifier: Apache-2.0
// InitialEvents: gathers the objects of a streaming list until its end is marked. Nothing of it is
// seen by anybody before that.
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
  /// Folds an added, modified or deleted in.
  void apply(WatchEventType type, ObjectPtr object);
  /// What is there, in the order in which the keys came first; leaves nothing behind.
  std::vector<ObjectPtr> take();
  std::size_t size() const { return positions_.size(); }

 private:
  std::vector<ObjectPtr> objects_;  ///< null where one was deleted again
  std::unordered_map<std::string, std::size_t> positions_;
};

}  // namespace kinf
