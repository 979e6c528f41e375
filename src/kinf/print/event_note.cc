// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_note.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kinf/base/ascii.h"
#include "kinf/columns/fields.h"
#include "kinf/query/jsonpath.h"

namespace kinf {
namespace {

using columns::field;
using columns::text;
using Json = nlohmann::json;

/// Returns the time at which the Event occurred last.
std::optional<Clock::Wall> last_seen(const Json& event) {
  for (const Json* at :
       {&field(event, "series", "lastObservedTime"), &field(event, "lastTimestamp"),
        &field(event, "deprecatedLastTimestamp"), &field(event, "eventTime"),
        &field(event, "firstTimestamp"), &field(event, "deprecatedFirstTimestamp")}) {
    if (const auto time = columns::time(*at)) return time;
  }
  return std::nullopt;
}

std::int64_t times_seen(const Json& event) {
  const Json& series = field(event, "series");
  return columns::number(series.is_object() ? field(series, "count") : field(event, "count"));
}

}  // namespace

std::string EventNote::typed_name() const {
  return to_lower(kind) + (group.empty() ? "" : "." + group) + "/" + name;
}

EventNote event_note(const Object& event) {
  Scratch scratch;
  const Json document = parse_document(event.json(scratch));
  const Json& object = field(document, "involvedObject");
  EventNote note;
  note.kind = text(field(object, "kind"));
  const std::string version = text(field(object, "apiVersion"));
  if (const std::size_t slash = version.find('/'); slash != std::string::npos) {
    note.group = version.substr(0, slash);
  }
  note.ns = text(field(object, "namespace"));
  note.name = text(field(object, "name"));
  note.uid = text(field(object, "uid"));
  const std::string type = text(field(document, "type"));
  note.is_warning = type == "Warning";
  const std::string message = text(field(document, "message"));
  note.text = fmt::format("{} {}: {}", type, text(field(document, "reason")), trimmed(message));
  if (const std::int64_t count = times_seen(document); count > 1) {
    note.text += fmt::format(" (x{})", count);
  }
  note.reporter = text(field(document, "reportingComponent"));
  if (note.reporter.empty()) note.reporter = text(field(document, "source", "component"));
  note.last_seen = last_seen(document);
  return note;
}

bool is_event_type(const ResourceType& type) {
  return type.gvr.resource == "events" &&
         (type.gvr.group.empty() || type.gvr.group == "events.k8s.io");
}

Clock::Wall event_time(const Object& event) {
  Scratch scratch;
  const Json document = parse_document(event.json(scratch));
  return last_seen(document).value_or(event.creation_time().value_or(std::chrono::sys_seconds()));
}

Clock::Wall shown_time(const ResourceType& type, const Change& change) {
  const bool happened = change.object && change.type != ChangeType::deleted && is_event_type(type);
  return happened ? event_time(*change.object) : change.origin.arrived;
}

}  // namespace kinf
