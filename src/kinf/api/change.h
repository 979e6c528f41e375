// SPDX-License-Identifier: Apache-2.0
// Change: a change of one object, as passed to handlers and printers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"

namespace [[gnu::visibility("default")]] kinf {

enum class ChangeType {
  added,
  updated,
  deleted,
  resync,  ///< a periodic resync of an unchanged object; handlers receive it as an update
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
  /// For relist and resync: the sequence number of this relist or resync in the informer.
  std::uint32_t round = 0;
};

/// A Change is created once, when the cache changes. Later stages use a const reference, or a copy
/// if they queue the change. `kinf run` merges the queued changes of one object. A copy shares the
/// objects.
struct Change {
  ChangeType type = ChangeType::added;
  /// For added: the object was in the initial list, or in the cache before the handler was added.
  bool initial = false;
  /// For added: the key belonged to an object with another uid, whose deletion was reported first.
  bool recreated = false;
  /// For deleted: the deletion was inferred from a list, so the final state is not known.
  bool final_state_unknown = false;
  ChangeOrigin origin{};
  std::string key{};  ///< `namespace/name`, or `name`
  /// The current state. For deleted, the last known state; null if there is none (only with
  /// Behaviour::client_go).
  ObjectPtr object{};
  /// For updated and resync, the previous state. For added, null. For deleted, null unless the
  /// object still exists and only stopped matching the selection of a handler; then the last state
  /// that matched.
  ObjectPtr old{};
  /// The number of later changes that were merged into this change because the handler is slow.
  std::uint64_t folded = 0;

  /// Returns the field manager that made the change, and the subresource if it wrote one, such as
  /// `kubectl (scale)`; empty if it is not known. Compares the entries of managedFields of both
  /// objects: the entry that is new or changed is named; else one that lost fields or vanished;
  /// else the newest, if its time is within two seconds of the arrival. Views the two objects.
  std::string_view manager() const;
};

}  // namespace kinf
