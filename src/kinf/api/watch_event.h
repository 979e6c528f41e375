// SPDX-License-Identifier: Apache-2.0
// WatchEvent: one event of a watch stream.
#pragma once

#include <optional>
#include <string>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf {

enum class WatchEventType { added, modified, deleted, bookmark, error };

struct WatchEvent {
  WatchEventType type = WatchEventType::added;
  ObjectPtr object;                 ///< set for added, modified and deleted
  std::string resource_version;     ///< the resourceVersion of the object or bookmark
  bool initial_events_end = false;  ///< bookmark: marks the end of a streaming list
  std::optional<Error>
      error;  ///< error: the server's Status; if it is not one, an error that quotes it
};

}  // namespace kinf
