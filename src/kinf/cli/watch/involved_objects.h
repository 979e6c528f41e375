// SPDX-License-Identifier: Apache-2.0
// InvolvedObjects: finds out which Events (v1) are about the watched objects (--with-events).
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/print/event_note.h"

namespace kinf {

/// Remembers the watched objects, and the Events that arrived before their object. An object that
/// was deleted stays known while it is among the last 1,000 of them, because its last Events arrive
/// after it.
/// Threads: one owner.
class InvolvedObjects {
 public:
  /// Records a change of a watched object. Returns the Events about it that arrived earlier.
  std::vector<Change> note_object(const ResourceType& type, const Change& change);
  /// Returns whether the Event in `change` is about a known object. Otherwise keeps it for
  /// note_object(), if it is among the last 1,000 of them.
  bool is_about_known(const EventNote& note, const Change& change);

 private:
  struct Unmatched {
    EventNote note;
    Change change;
  };
  bool matches(const EventNote& note) const;

  std::map<std::string, std::string> uids_;  ///< by kind, namespace and name
  std::deque<std::string> deleted_;          ///< keys in uids_
  std::deque<Unmatched> unmatched_;
};

}  // namespace kinf
