// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_json.h"

#include <fmt/format.h>

#include <chrono>

#include "kinf/base/json_string.h"
#include "kinf/base/timestamp.h"
#include "kinf/print/json_text.h"

namespace kinf {
namespace {

void append_text_field(std::string& out, std::string_view name, std::string_view value) {
  out += ",\"";
  out += name;
  out += "\":";
  append_json_string(out, value);
}

void append_document(std::string& out, const ObjectDocument& document) {
  if (document.one_line) {
    out += document.text;
  } else {
    append_one_line(out, document.text);
  }
}

}  // namespace

std::string_view event_source_word(EventSource source) {
  switch (source) {
    case EventSource::list:
      return "list";
    case EventSource::watch:
      return "watch";
    case EventSource::relist:
      return "relist";
    case EventSource::resync:
      break;
  }
  return "resync";
}

void append_event_json(std::string& out, const PrintedEvent& event, const ObjectDocument& document,
                       const ObjectDocument& old_document) {
  out += "{\"type\":\"";
  out += wire_word(event.type);
  out += "\",\"object\":";
  append_document(out, document);
  if (!old_document.text.empty()) {
    out += ",\"old\":";
    append_document(out, old_document);
  }
  if (event.final_state_unknown) out += ",\"finalStateUnknown\":true";
  if (event.recreated) out += ",\"recreated\":true";
  out += ",\"time\":\"";
  append_timestamp(out, std::chrono::floor<std::chrono::milliseconds>(event.arrived));
  out += '"';
  append_text_field(out, "source", event_source_word(event.source));
  append_text_field(out, "resource", event.resource->gvr.group_resource());
  append_text_field(out, "key", event.object ? event.object->key() : std::string(event.key));
  if (event.object && !event.object->manager().empty()) {
    append_text_field(out, "manager", event.object->manager());
  }
  if (event.folded > 0) fmt::format_to(std::back_inserter(out), ",\"folded\":{}", event.folded);
  out += '}';
}

void EventJson::print(const PrintedEvent& event, Clock::Wall now, std::string& out) {
  (void)now;
  const ObjectDocument document = object_document(event, show_secrets_, scratch_);
  if (with_events_) {
    append_event_json(out, event, document);
  } else {
    append_document(out, document);
  }
  out += '\n';
}

}  // namespace kinf
