// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/delta.h"

#include "kinf/cache/queue.h"

namespace kinf {

std::string_view to_string(DeltaType type) {
  switch (type) {
    case DeltaType::added: return "Added";
    case DeltaType::updated: return "Updated";
    case DeltaType::deleted: return "Deleted";
    case DeltaType::replaced: return "Replaced";
    case DeltaType::sync: return "Sync";
    case DeltaType::replaced_all: return "ReplacedAll";
    case DeltaType::sync_all: return "SyncAll";
    case DeltaType::bookmark: return "Bookmark";
  }
  return "";
}

Error queue_closed_error() {
  return {ErrorKind::stopped, "DeltaFIFO: manipulating with closed queue"};
}

}  // namespace kinf
