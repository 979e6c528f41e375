// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_printer.h"

#include <algorithm>
#include <cctype>

#include "kinf/print/event_json.h"
#include "kinf/print/event_name.h"
#include "kinf/print/event_table.h"
#include "kinf/print/event_yaml.h"

namespace kinf {

PrintedEvent printed_event(const AddEvent& event, const ResourceType& type) {
  PrintedEvent printed;
  printed.resource = &type;
  printed.object = event.object;
  printed.source = event.source;
  printed.arrived = event.arrived;
  printed.folded = event.folded;
  printed.recreated = event.recreated;
  return printed;
}

PrintedEvent printed_event(const UpdateEvent& event, const ResourceType& type) {
  PrintedEvent printed;
  printed.type =
      event.source == EventSource::resync ? PrintedEventType::resync : PrintedEventType::updated;
  printed.resource = &type;
  printed.object = event.object;
  printed.old_object = event.old_object;
  printed.source = event.source;
  printed.arrived = event.arrived;
  printed.folded = event.folded;
  return printed;
}

PrintedEvent printed_event(const DeleteEvent& event, const ResourceType& type) {
  PrintedEvent printed;
  printed.type = PrintedEventType::deleted;
  printed.resource = &type;
  printed.object = event.object;
  printed.key = event.key;
  printed.source = event.source;
  printed.arrived = event.arrived;
  printed.folded = event.folded;
  printed.final_state_unknown = event.final_state_unknown;
  return printed;
}

std::unique_ptr<EventPrinter> make_event_printer(const PrintOptions& options) {
  switch (options.format) {
    case OutputFormat::json:
      return std::make_unique<EventJson>(options);
    case OutputFormat::yaml:
      return std::make_unique<EventYaml>(options);
    case OutputFormat::name:
      return std::make_unique<EventName>(options);
    case OutputFormat::table:
    case OutputFormat::wide:
      break;
  }
  return std::make_unique<EventTable>(options);
}

std::string_view wire_word(PrintedEventType type) {
  switch (type) {
    case PrintedEventType::added:
      return "ADDED";
    case PrintedEventType::deleted:
      return "DELETED";
    case PrintedEventType::updated:
    case PrintedEventType::resync:
      break;
  }
  return "MODIFIED";
}

std::string typed_name(const ResourceType& type, std::string_view name) {
  std::string text = type.kind;
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!type.gvr.group.empty()) text += "." + type.gvr.group;
  text += '/';
  for (const char c : name) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return text;
}

}  // namespace kinf
