// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/filtering_handler.h"

#include <utility>

namespace kinf {

FilteringHandler::FilteringHandler(Filter filter, EventHandler& inner)
    : filter_(std::move(filter)), inner_(inner) {}

void FilteringHandler::on_add(const AddEvent& event) {
  if (filter_(*event.object)) inner_.on_add(event);
}

void FilteringHandler::on_update(const UpdateEvent& event) {
  const bool was_in = filter_(*event.old_object);
  const bool is_in = filter_(*event.object);
  if (was_in && is_in) {
    inner_.on_update(event);
  } else if (is_in) {
    inner_.on_add({event.object, false, false, event.source, event.arrived});
  } else if (was_in) {
    inner_.on_delete(
        {event.old_object->key(), event.old_object, false, event.source, event.arrived});
  }
}

void FilteringHandler::on_delete(const DeleteEvent& event) {
  if (event.object && filter_(*event.object)) inner_.on_delete(event);
}

}  // namespace kinf
