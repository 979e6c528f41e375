// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/event_handler.h"

#include <utility>

namespace kinf {

FilteringHandler::FilteringHandler(Filter filter, EventHandler& inner)
    : filter_(std::move(filter)), inner_(inner) {}

void FilteringHandler::on_add(const Change& change) {
  if (filter_(*change.object)) inner_.on_add(change);
}

void FilteringHandler::on_update(const Change& change) {
  const bool was_in = filter_(*change.old);
  const bool is_in = filter_(*change.object);
  if (was_in && is_in) return inner_.on_update(change);
  if (!was_in && !is_in) return;
  Change moved = change;
  moved.type = is_in ? ChangeType::added : ChangeType::deleted;
  if (was_in) moved.object = change.old;
  moved.old = nullptr;
  inner_.handle(moved);
}

void FilteringHandler::on_known(const Change& known) {
  if (filter_(*known.object)) inner_.on_known(known);
}

void FilteringHandler::on_delete(const Change& change) {
  if (change.object && filter_(*change.object)) inner_.on_delete(change);
}

}  // namespace kinf
