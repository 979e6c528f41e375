// SPDX-License-Identifier: Apache-2.0
// Change: what happened to one object, as handlers and printers get it.
#pragma once

#include <cstdint>
#include <string>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"

namespace kinf {

enum class ChangeType {
  added,
  updated,
  deleted,
  resync,  ///< nothing changed: a periodic reminder; handlers get it as an update
};

enum class ChangeSource {
  list,    ///< the initial list
  watch,   ///< a watch event
  relist,  ///< a difference found by a later list
  resync,  ///< a periodic reminder
};

/// Where a change comes from, and when it arrived.
struct ChangeOrigin {
  ChangeSource source = ChangeSource::watch;
  Clock::Wall arrived{};
  /// relist, resync: the number of this relist or resync within the informer.
  std::uint32_t round = 0;
};

/// Made once, when the cache changes; later stages get a const reference, or a copy if they queue
/// it. A copy shares the objects.
struct Change {
  ChangeType type = ChangeType::added;
  /// added: the object was in the initial list, or was there before the handler was.
  bool initial = false;
  /// added: same key, new uid; follows the deletion of the earlier object.
  bool recreated = false;
  /// deleted: inferred from a list; the server did not send the last state.
  bool final_state_unknown = false;
  ChangeOrigin origin{};
  std::string key{};  ///< `namespace/name`, or `name`
  /// The state now. deleted: the last known state; null if there was none (client_go mode only).
  ObjectPtr object{};
  ObjectPtr old{};           ///< updated, resync: the state before; otherwise null
  std::uint64_t folded = 0;  ///< further changes merged into this one because the handler is slow
};

}  // namespace kinf
