// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/delta.h"

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

Delta tombstone_delta(std::string key, ObjectPtr last_known, const ChangeOrigin& origin) {
  return {.type = DeltaType::deleted,
          .is_tombstone = true,
          .origin = origin,
          .key = std::move(key),
          .object = std::move(last_known)};
}

}  // namespace kinf
