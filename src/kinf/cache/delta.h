// SPDX-License-Identifier: Apache-2.0
// Delta: one thing that happened to one object, or to all of them, on its way to the store.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/api/object.h"
#include "kinf/base/clock.h"

namespace kinf {

enum class DeltaType {
  added,
  updated,
  deleted,
  replaced,      ///< the object stood in a list
  sync,          ///< nothing happened: a periodic reminder
  replaced_all,  ///< a whole list, from an atomic InOrderFifo
  sync_all,      ///< a reminder for every stored object, from an atomic InOrderFifo
  bookmark,      ///< only a newer resourceVersion
};

/// client-go's name: `Added`, `ReplacedAll`.
std::string_view to_string(DeltaType type);

/// A deletion nobody saw happen: a later list did not hold the object any more (client-go:
/// DeletedFinalStateUnknown).
struct DeletedObject {
  std::string key;
  ObjectPtr object;  ///< the last known state, perhaps stale; null if there is none
};

/// Where a change came from and when; handlers are told.
struct Origin {
  EventSource source = EventSource::watch;
  Clock::Wall arrived{};
};

struct Delta {
  Delta() = default;
  Delta(DeltaType type_in, const Origin& origin_in, std::string key_in, ObjectPtr object_in)
      : type(type_in),
        origin(origin_in),
        key(std::move(key_in)),
        object(std::move(object_in)) {}

  DeltaType type = DeltaType::added;
  /// Type deleted: the deletion was inferred, `object` is the last known state or null.
  bool is_tombstone = false;
  Origin origin;
  /// The key of the object; empty for the types that concern no single object.
  std::string key;
  ObjectPtr object;
  std::string resource_version;    ///< replaced_all, bookmark
  std::vector<ObjectPtr> objects;  ///< replaced_all, in the order of the list
};

Delta tombstone_delta(std::string key, ObjectPtr last_known, const Origin& origin);

/// Never empty when popped; oldest first.
using Deltas = std::vector<Delta>;

}  // namespace kinf
