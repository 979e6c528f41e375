// SPDX-License-Identifier: Apache-2.0
// Change: a change of one object, as passed to handlers and printers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"

namespace kinf {

enum class ChangeType {
  added,
  updated,
  deleted,
  resync,  ///< a periodic resync; nothing changed; handlers receive it as an update
};

enum class ChangeSource {
  list,    ///< the initial list
  watch,   ///< a watch event
  relist,  ///< a difference found by a later list
  resync,  ///< a periodic resync
};

/// The source of a change, and the time when it arrived.
struct ChangeOrigin {
  ChangeSource source = ChangeSource::watch;
  Clock::Wall arrived{};
  /// relist, resync: the sequence number of this relist or resync in the informer.
  std::uint32_t round = 0;
};

/// Created once, when the cache changes. Later stages use a const reference, or a copy if they
/// queue it; `kinf run` merges the copies of one object. A copy shares the objects.
struct Change {
  ChangeType type = ChangeType::added;
  /// added: the object was in the initial list, or in the cache before the handler was added.
  bool initial = false;
  /// added: the key was used before by an object with another uid. Its deletion was reported first.
  bool recreated = false;
  /// deleted: the deletion was inferred from a list; the final state is not known.
  bool final_state_unknown = false;
  ChangeOrigin origin{};
  std::string key{};  ///< `namespace/name`, or `name`
  /// The current state. deleted: the last known state; null if there is none (client_go mode only).
  ObjectPtr object{};
  /// updated, resync: the previous state. deleted: null, unless the object still exists and has
  /// only left the selection of a handler; then the last state that was selected. added: null.
  ObjectPtr old{};
  /// the number of later changes merged into this one because the handler is slow
  std::uint64_t folded = 0;

  /// Returns the field manager that made the change; empty if it is not known.
  std::string_view manager() const;
};

/// The start of a deletion adds no entry to managedFields, so that the newest one is of an earlier
/// change.
inline std::string_view Change::manager() const {
  if (!object || type == ChangeType::deleted || type == ChangeType::resync) return {};
  const bool begins_deletion = old && object->deleting() && !old->deleting();
  return begins_deletion ? std::string_view() : object->manager();
}

}  // namespace kinf
