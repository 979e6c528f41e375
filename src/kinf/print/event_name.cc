// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_name.h"

namespace kinf {

void EventName::print(const ResourceType& type, const Change& change, Clock::Wall now,
                      std::string& out) {
  (void)now;
  if (with_events_) {
    out += wire_word(change.type);
    out += ' ';
  }
  out += typed_name(type, change.key.substr(change.key.rfind('/') + 1));
  out += '\n';
}

}  // namespace kinf
