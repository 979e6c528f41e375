// SPDX-License-Identifier: Apache-2.0
// EventNote: what an Event (v1) says about an object, for a row between the rows of the objects.
#pragma once

#include <optional>
#include <string>

#include "kinf/api/object.h"
#include "kinf/base/clock.h"

namespace kinf {

struct EventNote {
  // The object that the Event is about.
  std::string kind;
  std::string group;  ///< empty for the core group
  std::string ns;     ///< empty for cluster-scoped objects
  std::string name;
  std::string uid;  ///< may be empty
  bool is_warning = false;
  std::string text;  ///< such as `Warning BackOff: Back-off restarting failed container (x3)`
  std::optional<Clock::Wall> last_seen;

  /// Returns `pod/web-1` or `deployment.apps/web`.
  std::string typed_name() const;
};

/// Reads an Event in form raw. Missing fields are empty.
EventNote event_note(const Object& event);

}  // namespace kinf
