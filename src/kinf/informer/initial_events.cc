// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/initial_events.h"

#include <utility>

namespace kinf {

void InitialEvents::apply(WatchEventType type, ObjectPtr object) {
  std::string key = object->key();
  const auto known = positions_.find(key);
  if (type == WatchEventType::deleted) {
    if (known == positions_.end()) return;
    objects_[known->second] = nullptr;
    positions_.erase(known);
  } else if (known != positions_.end()) {
    objects_[known->second] = std::move(object);
  } else {
    positions_.emplace(std::move(key), objects_.size());
    objects_.push_back(std::move(object));
  }
}

std::vector<ObjectPtr> InitialEvents::take() {
  positions_.clear();
  std::erase(objects_, ObjectPtr());
  return std::exchange(objects_, {});
}

}  // namespace kinf
