// SPDX-License-Identifier: Apache-2.0
// EventNote: the contents of an Event (v1) about an object. It is printed as a row between the rows
// of objects. Also returns when Events happened.
#pragma once

#include <optional>
#include <string>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/api/object.h"
#include "kinf/base/clock.h"

namespace kinf {

struct EventNote {
  // The members up to `uid` describe the object that the Event is about.
  std::string kind;
  std::string group;  ///< empty for the core group
  std::string ns;     ///< empty for cluster-scoped objects
  std::string name;
  std::string uid;  ///< may be empty
  bool is_warning = false;
  std::string reporter;  ///< the component that reports it, such as `kubelet`; may be empty
  std::string text;      ///< such as `Warning BackOff: Back-off restarting failed container (x3)`
  std::optional<Clock::Wall> last_seen;

  /// Returns the type and name of the object, such as `pod/web-1` or `deployment.apps/web`.
  std::string typed_name() const;
};

/// Reads an Event of ObjectForm::raw. Fields that the Event does not have are empty in the note.
EventNote event_note(const Object& event);

/// Returns whether the type is Event, of the core group or of events.k8s.io.
bool is_event_type(const ResourceType& type);
/// Returns when an Event happened last. If its document does not say so, returns when the Event was
/// created, or the zero time.
Clock::Wall event_time(const Object& event);
/// Returns the time to print for a change: when an Event happened, or when any other change
/// arrived.
Clock::Wall shown_time(const ResourceType& type, const Change& change);

}  // namespace kinf
