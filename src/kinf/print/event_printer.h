// SPDX-License-Identifier: Apache-2.0
// EventPrinter: events of a watch in, text out. Reads no clock and owns no stream: the caller
// hands in the time and writes the text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/api/object.h"

namespace kinf {

enum class OutputFormat { table, wide, json, yaml, name };

struct PrintOptions {
  OutputFormat format = OutputFormat::table;
  /// What happened stands beside the object: the EVENT column, the event around the document.
  bool with_events = true;
  bool with_namespace = false;  ///< table: a NAMESPACE column
  bool several_types = false;   ///< table: TYPE/NAME
  bool headers = true;
  bool show_labels = false;
  std::vector<std::string> label_columns;
  bool show_secrets = false;
  bool colour = false;
};

enum class PrintedEventType { added, updated, deleted, resync };

/// One thing to print. Everything pointed to lives as long as the call.
struct PrintedEvent {
  PrintedEventType type = PrintedEventType::added;
  const ResourceType* resource = nullptr;
  ObjectPtr object;      ///< null only for the deletion of an object never seen
  ObjectPtr old_object;  ///< updated: the state before
  std::string_view key;
  EventSource source = EventSource::watch;
  Clock::Wall arrived{};
  bool final_state_unknown = false;
  bool recreated = false;
  std::uint64_t folded = 0;  ///< events that nobody saw for it
};

/// What the pipeline reports, as something to print.
PrintedEvent printed_event(const AddEvent& event, const ResourceType& type);
PrintedEvent printed_event(const UpdateEvent& event, const ResourceType& type);
PrintedEvent printed_event(const DeleteEvent& event, const ResourceType& type);

/// Threads: one owner at a time.
class EventPrinter {
 public:
  virtual ~EventPrinter() = default;
  /// Appends the text of `event` to `out`; may hold some back until flush(). `now` is what ages
  /// are counted to.
  virtual void print(const PrintedEvent& event, Clock::Wall now, std::string& out) = 0;
  virtual void flush(std::string& out) { (void)out; }
};

std::unique_ptr<EventPrinter> make_event_printer(const PrintOptions& options);

/// `ADDED`, `MODIFIED`, `DELETED`: the words of the API.
std::string_view wire_word(PrintedEventType type);

/// `pod/web-1`, `deployment.apps/web`, with control characters made harmless.
std::string typed_name(const ResourceType& type, std::string_view name);

}  // namespace kinf
