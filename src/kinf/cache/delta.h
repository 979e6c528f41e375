// SPDX-License-Identifier: Apache-2.0
// Delta: a queued change to one object, or to all objects.
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
  sync,          ///< a periodic resync; nothing changed
  replaced_all,  ///< a complete list, from an atomic InOrderFifo
  sync_all,      ///< a resync of every stored object, from an atomic InOrderFifo
  bookmark,      ///< a new resourceVersion, without an object
};

/// Returns client-go's name: `Added`, `ReplacedAll`.
std::string_view to_string(DeltaType type);

/// A deletion inferred from a list that no longer contains the object (client-go:
/// DeletedFinalStateUnknown).
struct DeletedObject {
  std::string key;
  ObjectPtr object;  ///< the last known state, which may be stale; null if there is none
};

struct Delta {
  DeltaType type = DeltaType::added;
  /// deleted: whether the deletion was inferred from a list. `object` is then the last known state,
  /// or null.
  bool is_tombstone = false;
  ChangeOrigin origin{};
  /// The object's key; empty for replaced_all, sync_all and bookmark.
  std::string key{};
  ObjectPtr object{};
  std::string resource_version{};    ///< set for replaced_all and bookmark
  std::vector<ObjectPtr> objects{};  ///< set for replaced_all, in the order of the list
};

Delta tombstone_delta(std::string key, ObjectPtr last_known, const ChangeOrigin& origin);

/// The changes of one key or of a batch, oldest first. Never empty when popped.
using Deltas = std::vector<Delta>;

}  // namespace kinf
