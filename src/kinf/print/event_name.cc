// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_name.h"

namespace kinf {

void EventName::print(const PrintedEvent& event, Clock::Wall now, std::string& out) {
  (void)now;
  if (with_events_) {
    out += wire_word(event.type);
    out += ' ';
  }
  const std::string_view key = event.key;
  const std::string_view name =
      event.object ? event.object->name() : key.substr(key.rfind('/') + 1);
  out += typed_name(*event.resource, name);
  out += '\n';
}

}  // namespace kinf
