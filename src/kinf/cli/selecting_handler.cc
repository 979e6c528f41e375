// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selecting_handler.h"

#include <utility>

namespace kinf {

SelectingHandler::SelectingHandler(ObjectFilter filter, EventHandler& inner)
    : filter_(std::move(filter)), inner_(inner) {}

void SelectingHandler::on_add(const Change& change) {
  if (!filter_(*change.object, nullptr)) return;
  selected_.insert(change.key);
  if (!change.recreated || change.key == last_deleted_) return inner_.on_add(change);
  Change first = change;  // the deletion of the earlier object was not passed on
  first.recreated = false;
  inner_.on_add(first);
}

void SelectingHandler::on_update(const Change& change) {
  const bool was_in = selected_.contains(change.key);
  if (change.type == ChangeType::resync) {
    if (was_in) inner_.on_update(change);
    return;
  }
  const bool is_in = filter_(*change.object, change.old.get());
  if (was_in && is_in) return inner_.on_update(change);
  if (!was_in && !is_in) return;
  Change moved = change;
  if (is_in) {
    selected_.insert(change.key);
    moved.type = ChangeType::added;
    moved.old = nullptr;
  } else {
    selected_.erase(change.key);
    moved.type = ChangeType::deleted;
    last_deleted_ = change.key;
  }
  inner_.handle(moved);
}

void SelectingHandler::on_delete(const Change& change) {
  if (selected_.erase(change.key) == 0) return;
  last_deleted_ = change.key;
  inner_.on_delete(change);
}

}  // namespace kinf
