// SPDX-License-Identifier: Apache-2.0
// Delta: a change to one object, or to all of them, on its way to the store.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/change.h"

namespace kinf {

enum class DeltaType {
  added,
  updated,
  deleted,
  replaced,      ///< the object was in a list
  sync,          ///< nothing changed: a periodic reminder
  replaced_all,  ///< a whole list, from an atomic InOrderFifo
  sync_all,      ///< a reminder for every stored object, from an atomic InOrderFifo
  bookmark,      ///< only a new resourceVersion
};

/// client-go's name: `Added`, `ReplacedAll`.
std::string_view to_string(DeltaType type);

/// A deletion inferred from a list that no longer holds the object (client-go:
/// DeletedFinalStateUnknown).
struct DeletedObject {
  std::string key;
  ObjectPtr object;  ///< the last known state, perhaps stale; null if there is none
};

struct Delta {
  DeltaType type = DeltaType::added;
  /// deleted: the deletion was inferred; `object` is the last known state, or null.
  bool is_tombstone = false;
  ChangeOrigin origin{};
  /// The object's key; empty for replaced_all, sync_all and bookmark.
  std::string key{};
  ObjectPtr object{};
  std::string resource_version{};    ///< replaced_all, bookmark
  std::vector<ObjectPtr> objects{};  ///< replaced_all, in the order of the list
};

Delta tombstone_delta(std::string key, ObjectPtr last_known, const ChangeOrigin& origin);

/// Never empty when popped; oldest first.
using Deltas = std::vector<Delta>;

}  // namespace kinf
