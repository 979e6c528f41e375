// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/delta.h"

#include "kinf/cache/queue.h"

namespace kinf {

std::string_view to_string(DeltaType type) {
  switch (type) {
    case DeltaType::added:
      return "Added";
    case DeltaType::updated:
      return "Updated";
    case DeltaType::deleted:
      return "Deleted";
    case DeltaType::replaced:
      return "Replaced";
    case DeltaType::sync:
      return "Sync";
    case DeltaType::replaced_all:
      return "ReplacedAll";
    case DeltaType::sync_all:
      return "SyncAll";
    case DeltaType::bookmark:
      return "Bookmark";
  }
  return "";
}

Delta tombstone_delta(std::string key, ObjectPtr last_known, const Origin& origin) {
  Delta delta;
  delta.type = DeltaType::deleted;
  delta.is_tombstone = true;
  delta.origin = origin;
  delta.key = std::move(key);
  delta.object = std::move(last_known);
  return delta;
}

Error queue_closed_error() {
  return {ErrorKind::stopped, "DeltaFIFO: manipulating with closed queue"};
}

}  // namespace kinf
