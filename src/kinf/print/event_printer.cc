// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_printer.h"

#include <algorithm>
#include <cctype>

#include "kinf/print/event_json.h"
#include "kinf/print/event_name.h"
#include "kinf/print/event_table.h"
#include "kinf/print/event_yaml.h"

namespace kinf {

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

std::string_view wire_word(ChangeType type) {
  switch (type) {
    case ChangeType::added:
      return "ADDED";
    case ChangeType::deleted:
      return "DELETED";
    case ChangeType::updated:
    case ChangeType::resync:
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
