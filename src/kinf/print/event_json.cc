// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_json.h"

#include <fmt/format.h>

#include <chrono>

#include "kinf/print/json_text.h"

namespace kinf {
namespace {

void append_text_field(std::string& out, std::string_view name, std::string_view value) {
  out += ",\"";
  out += name;
  out += "\":";
  append_quoted(out, value);
}

void put_digits(char* last, unsigned number, int digits) {
  for (; digits > 0; --digits, number /= 10) *last-- = static_cast<char>('0' + number % 10);
}

/// RFC 3339, UTC, milliseconds. By hand: it stands in every line.
void append_time(std::string& out, Clock::Wall time) {
  const auto at = std::chrono::floor<std::chrono::milliseconds>(time);
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(at - day);
  char text[] = "0000-00-00T00:00:00.000";
  put_digits(text + 3, static_cast<unsigned>(int{date.year()}), 4);
  put_digits(text + 6, unsigned{date.month()}, 2);
  put_digits(text + 9, unsigned{date.day()}, 2);
  put_digits(text + 12, static_cast<unsigned>(clock.hours().count()), 2);
  put_digits(text + 15, static_cast<unsigned>(clock.minutes().count()), 2);
  put_digits(text + 18, static_cast<unsigned>(clock.seconds().count()), 2);
  put_digits(text + 22, static_cast<unsigned>(clock.subseconds().count()), 3);
  out.append(",\"time\":\"").append(text).append("Z\"");
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
  const ObjectDocument document = object_document(event, show_secrets_, scratch_);
  if (with_events_) {
    append_event_json(out, event, document);
  } else {
    append_document(out, document);
  }
  out += '\n';
}

}  // namespace kinf
