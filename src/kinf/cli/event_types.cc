// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/event_types.h"

#include "kinf/base/ascii.h"
#include "kinf/cli/type_args.h"

namespace kinf {

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
      return fail(ErrorKind::usage, "resync needs --resync, which this command does not have");
    } else {
      return fail(ErrorKind::usage, "it must be a list of added, updated and deleted");
    }
  }
  if (!types.added && !types.updated && !types.deleted) {
    return fail(ErrorKind::usage, "it must be a list of added, updated and deleted");
  }
  return types;
}

bool EventTypes::contains(ChangeType type) const {
  switch (type) {
    case ChangeType::added:
      return added;
    case ChangeType::deleted:
      return deleted;
    case ChangeType::updated:
    case ChangeType::resync:
      break;
  }
  return updated;
}

}  // namespace kinf
