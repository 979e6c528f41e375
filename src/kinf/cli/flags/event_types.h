// SPDX-License-Identifier: Apache-2.0
// EventTypes: the types of changes that `kinf watch --events` prints.
#pragma once

#include <string_view>

#include "kinf/api/change.h"
#include "kinf/base/error.h"

namespace kinf {

class EventTypes {
 public:
  /// Parses a list such as `added,deleted`. Also accepts the API's words, such as `MODIFIED`.
  static Result<EventTypes> parse(std::string_view text);
  bool contains(ChangeType type) const { return (bits_ & bit(type)) != 0; }

 private:
  static unsigned bit(ChangeType type) { return 1U << static_cast<unsigned>(type); }

  unsigned bits_ = 0;
};

}  // namespace kinf
