// SPDX-License-Identifier: Apache-2.0
// WatchEvent: one event of a watch stream, as the server sent it.
#pragma once

#include <optional>
#include <string>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf {

enum class WatchEventType { added, modified, deleted, bookmark, error };

struct WatchEvent {
  WatchEventType type = WatchEventType::added;
  ObjectPtr object;                 ///< added, modified, deleted
  std::string resource_version;     ///< of the object or the bookmark
  bool initial_events_end = false;  ///< bookmark: marks the end of a streaming list
  std::optional<Error> error;  ///< type error: the server's Status, or what came instead of one
};

}  // namespace kinf
