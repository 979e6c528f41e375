// SPDX-License-Identifier: Apache-2.0
// The cells of v1 Events and events.k8s.io/v1 Events, which have the same content in fields with
// different names. Behaves like printEvent in kubernetes/pkg/printers/internalversion/printers.go.

#include "kinf/base/ascii.h"
#include "kinf/columns/fields.h"
#include "kinf/columns/kind_columns.h"

namespace kinf::columns {
namespace {

/// Returns the field `core`, or if it is null, the field `newer`.
const Json& either(const Json& object, const char* core, const char* newer) {
  const Json& value = field(object, core);
  return value.is_null() ? field(object, newer) : value;
}

std::string first_non_empty(std::string text, const Json& otherwise) {
  return text.empty() ? columns::text(otherwise) : text;
}

/// Returns `kubelet, node-1`, or only the component if no instance is known.
std::string source_text(const Json& event) {
  const Json& source = either(event, "source", "deprecatedSource");
  const std::string component = first_non_empty(
      first_non_empty(text(field(source, "component")), field(event, "reportingComponent")),
      field(event, "reportingController"));
  const std::string instance =
      first_non_empty(text(field(source, "host")), field(event, "reportingInstance"));
  return instance.empty() ? component : component + ", " + instance;
}

/// Returns the kind and name of the object that the Event is about, such as `pod/web-1`.
std::string target_text(const Json& target) {
  const std::string kind = to_lower(text(field(target, "kind")));
  const std::string name = text(field(target, "name"));
  return name.empty() ? kind : kind + "/" + name;
}

/// Returns how often the Event was seen. An Event that was seen once need not have a count.
std::int64_t count_of(const Json& event) {
  const Json& series = field(event, "series");
  if (series.is_object()) return number(field(series, "count"));
  const std::int64_t count = number(either(event, "count", "deprecatedCount"));
  return count == 0 ? 1 : count;
}

}  // namespace

const Json& event_time(const Json& event, bool last) {
  const Json& series = field(event, "series");
  if (last && series.is_object()) return field(series, "lastObservedTime");
  const Json& last_time = either(event, "lastTimestamp", "deprecatedLastTimestamp");
  if (last && !last_time.is_null()) return last_time;
  const Json& first_time = either(event, "firstTimestamp", "deprecatedFirstTimestamp");
  return first_time.is_null() ? field(event, "eventTime") : first_time;
}

Json event_cells(const Json& event, Clock::Wall now) {
  const std::string first = since(event_time(event, false), now);
  const std::string last = since(event_time(event, true), now);
  const Json& target = either(event, "involvedObject", "regarding");
  return Json::array({last, text(field(event, "type")), text(field(event, "reason")),
                      target_text(target), text(field(target, "fieldPath")), source_text(event),
                      std::string(trimmed(text(either(event, "message", "note")))), first,
                      count_of(event), name_of(event)});
}

}  // namespace kinf::columns
