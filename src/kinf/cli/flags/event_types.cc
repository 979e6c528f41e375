// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/event_types.h"

#include "kinf/base/ascii.h"
#include "kinf/cli/flags/type_args.h"

namespace kinf {
namespace {

constexpr const char* kExpected = "it must be a list of added, updated, deleted and resync";

}  // namespace

Result<EventTypes> EventTypes::parse(std::string_view text) {
  EventTypes types;
  for (const std::string& part : split_commas(text)) {
    const std::string word = to_lower(part);
    if (word == "added") {
      types.added = true;
    } else if (word == "updated" || word == "modified") {
      types.updated = true;
    } else if (word == "deleted") {
      types.deleted = true;
    } else if (word == "resync") {
      types.resync = true;
    } else {
      return fail(ErrorKind::usage, kExpected);
    }
  }
  if (!types.added && !types.updated && !types.deleted && !types.resync) {
    return fail(ErrorKind::usage, kExpected);
  }
  return types;
}

bool EventTypes::contains(ChangeType type) const {
  switch (type) {
    case ChangeType::added:
      return added;
    case ChangeType::deleted:
      return deleted;
    case ChangeType::resync:
      return resync;
    case ChangeType::updated:
      break;
  }
  return updated;
}

}  // namespace kinf
