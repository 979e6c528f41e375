// SPDX-License-Identifier: Apache-2.0
// EventTypes: which changes `kinf watch --events` prints.
#pragma once

#include <string_view>

#include "kinf/api/change.h"
#include "kinf/base/error.h"

namespace kinf {

struct EventTypes {
  bool added = false;
  bool updated = false;
  bool deleted = false;
  bool resync = false;

  /// Parses a list such as `added,deleted`. Accepts the words of the API too: `MODIFIED`.
  static Result<EventTypes> parse(std::string_view text);
  bool contains(ChangeType type) const;
};

}  // namespace kinf
