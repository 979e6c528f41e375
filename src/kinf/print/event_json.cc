// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_json.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <iterator>

#include "kinf/print/json_text.h"
#include "kinf/print/object_document.h"

namespace kinf {
namespace {

void append_text_field(std::string& out, std::string_view name, std::string_view value) {
  out += ",\"";
  out += name;
  out += "\":";
  append_quoted(out, value);
}

/// RFC 3339, UTC, milliseconds.
void append_time(std::string& out, Clock::Wall time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(time - seconds);
  fmt::format_to(std::back_inserter(out), ",\"time\":\"{:%Y-%m-%dT%H:%M:%S}.{:03}Z\"",
                 fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), rest.count());
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

void append_event_json(std::string& out, const PrintedEvent& event, std::string_view document,
                       std::string_view old_document) {
  out += "{\"type\":\"";
  out += wire_word(event.type);
  out += "\",\"object\":";
  append_one_line(out, document);
  if (!old_document.empty()) {
    out += ",\"old\":";
    append_one_line(out, old_document);
  }
  if (event.final_state_unknown) out += ",\"finalStateUnknown\":true";
  if (event.recreated) out += ",\"recreated\":true";
  append_time(out, event.arrived);
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
  const std::string_view document = object_document(event, show_secrets_, scratch_);
  if (with_events_) {
    append_event_json(out, event, document);
  } else {
    append_one_line(out, document);
  }
  out += '\n';
}

}  // namespace kinf
