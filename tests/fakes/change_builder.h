// SPDX-License-Identifier: Apache-2.0
// make_added, make_updated, make_deleted: changes for tests, as an informer makes them.
#pragma once

#include <utility>

#include "kinf/api/change.h"

namespace kinf::test {

inline Change make_added(ObjectPtr object) {
  Change change;
  change.key = object->key();
  change.object = std::move(object);
  return change;
}

inline Change make_updated(ObjectPtr old, ObjectPtr object) {
  Change change = make_added(std::move(object));
  change.type = ChangeType::updated;
  change.old = std::move(old);
  return change;
}

inline Change make_deleted(ObjectPtr last) {
  Change change = make_added(std::move(last));
  change.type = ChangeType::deleted;
  return change;
}

/// The deletion of an object that was found missing by a later list; `last` may be null.
inline Change make_lost(std::string key, ObjectPtr last) {
  Change change;
  change.type = ChangeType::deleted;
  change.final_state_unknown = true;
  change.origin.source = ChangeSource::relist;
  change.key = std::move(key);
  change.object = std::move(last);
  return change;
}

}  // namespace kinf::test
