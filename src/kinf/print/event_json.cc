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

/// RFC 3339, UTC, milliseconds. Formatted by hand, because every line has one.
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

std::string_view source_word(ChangeSource source) {
  switch (source) {
    case ChangeSource::list:
      return "list";
    case ChangeSource::watch:
      return "watch";
    case ChangeSource::relist:
      return "relist";
    case ChangeSource::resync:
      break;
  }
  return "resync";
}

void append_event_json(std::string& out, const ResourceType& type, const Change& change,
                       const ObjectDocument& document, const ObjectDocument& old_document) {
  out += "{\"type\":\"";
  out += wire_word(change.type);
  out += "\",\"object\":";
  append_document(out, document);
  if (!old_document.text.empty()) {
    out += ",\"old\":";
    append_document(out, old_document);
  }
  if (change.final_state_unknown) out += ",\"finalStateUnknown\":true";
  if (change.recreated) out += ",\"recreated\":true";
  append_time(out, change.origin.arrived);
  append_text_field(out, "source", source_word(change.origin.source));
  append_text_field(out, "resource", type.gvr.group_resource());
  append_text_field(out, "key", change.key);
  if (change.object && !change.object->manager().empty()) {
    append_text_field(out, "manager", change.object->manager());
  }
  if (change.folded > 0) fmt::format_to(std::back_inserter(out), ",\"folded\":{}", change.folded);
  out += '}';
}

void EventJson::print(const ResourceType& type, const Change& change, Clock::Wall now,
                      std::string& out) {
  (void)now;
  const ObjectDocument document = change_document(type, change, show_secrets_, scratch_);
  if (with_events_) {
    append_event_json(out, type, change, document);
  } else {
    append_document(out, document);
  }
  out += '\n';
}

}  // namespace kinf
