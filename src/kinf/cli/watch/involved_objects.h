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

/// Remembers the watched objects, and the Events that arrived before their object. Also keeps the
/// last 1,000 deleted objects, because Events about an object may arrive after its deletion.
/// Threads: one owner.
class InvolvedObjects {
 public:
  /// Records a change of a watched object. Returns the Events about it that arrived earlier.
  std::vector<Change> note_object(const ResourceType& type, const Change& change);
  /// Returns whether the Event in `change` is about a known object. If not, keeps the Event for
  /// note_object(). Only the last 1,000 such Events are kept.
  bool is_about_known(const EventNote& note, const Change& change);

 private:
  struct Unmatched {
    EventNote note;
    Change change;
  };
  bool matches(const EventNote& note) const;

  std::map<std::string, std::string> uids_;  ///< UIDs of objects, by kind, namespace and name
  std::deque<std::string> deleted_;          ///< keys in uids_ of deleted objects, oldest first
  std::deque<Unmatched> unmatched_;
};

}  // namespace kinf
